import { type ChangeEntry, LookupStatus } from '@cadastre/proto/objects';
import type { Backends } from '../context.js';

/** An object before a change: its text, 'none' without one, or 'unknown' when the registry no longer has it. */
export type FormerText = { readonly text: string } | 'none' | 'unknown';

/** Looks up the objects of changes as they were before; at most 1,000. Errors: ServiceError. */
export async function formerTexts(
  reader: Pick<Backends['reader'], 'batchLookupPast'>,
  entries: readonly ChangeEntry[],
  signal: AbortSignal,
): Promise<ReadonlyMap<ChangeEntry, FormerText>> {
  const found = new Map<ChangeEntry, FormerText>();
  for (let left = entries; left.length > 0; left = left.filter((entry) => !found.has(entry))) {
    const lookups = left.map(({ serial, object }) => ({
      key: { source: object!.source, type: object!.type, key: object!.key },
      moment: { point: { $case: 'serial' as const, value: serial - 1n } },
      nearest: false,
    }));
    const { answers } = await reader.batchLookupPast({ lookups }, { signal });
    for (const [at, { status, object }] of answers.entries()) {
      if (status === LookupStatus.LOOKUP_STATUS_ASK_AGAIN) continue;
      const isAbsent = absent.has(status);
      found.set(left[at]!, object !== undefined ? { text: object.text } : isAbsent ? 'none' : 'unknown');
    }
  }
  return found;
}

const absent: ReadonlySet<LookupStatus> = new Set([
  LookupStatus.LOOKUP_STATUS_NOT_FOUND,
  LookupStatus.LOOKUP_STATUS_DELETED,
]);
