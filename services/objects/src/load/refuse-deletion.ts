import { DeletionRefusal, type LoadSettings } from '@cadastre/proto/objects';

/** A replacing load that deletes nothing, because the deletions look like a mistake. */
export interface RefusedDeletion {
  readonly reason: DeletionRefusal;
  /** Objects that it would have deleted. */
  readonly deletes: number;
  /** Objects of the source before the load. */
  readonly sourceObjects: number;
}

/** A load may delete one object of this many without permission. */
const shareAllowed = 10;

/**
 * Decides whether a replacing load may delete the objects that are not in its text (`LoadSettings.allowed_deletes`). An
 * empty or damaged dump must not empty a mirror. A follower of another registry always gets some objects that we cannot
 * read: such a load (`all_or_nothing`) treats them like the other objects that are missing.
 */
export function refuseDeletion(
  { allowedDeletes, allOrNothing = false }: Pick<LoadSettings, 'allowedDeletes' | 'allOrNothing'>,
  { deletes, sourceObjects }: Pick<RefusedDeletion, 'deletes' | 'sourceObjects'>,
  read: { readonly accepted: number; readonly rejected: number },
): RefusedDeletion | undefined {
  const refused = (reason: DeletionRefusal) => ({ reason, deletes, sourceObjects });
  if (deletes === 0) return undefined;
  if (allowedDeletes !== undefined) {
    return deletes > allowedDeletes ? refused(DeletionRefusal.DELETION_REFUSAL_TOO_MANY) : undefined;
  }
  if (read.rejected > 0 && !allOrNothing) return refused(DeletionRefusal.DELETION_REFUSAL_REJECTED_OBJECTS);
  if (read.accepted === 0) return refused(DeletionRefusal.DELETION_REFUSAL_NO_OBJECT);
  return deletes * shareAllowed > sourceObjects ? refused(DeletionRefusal.DELETION_REFUSAL_TOO_MANY) : undefined;
}
