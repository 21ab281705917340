import { type Message, messages } from '@cadastre/rpsl';
import { together } from '@cadastre/service';
import { autoKeyAttribute, type KeyClaim, keyClaim } from '../domain/auto-key.js';
import { places } from '../domain/places.js';
import type { Policy } from '../domain/policy.js';
import type { Prepared, PreparedWrite } from '../domain/submission.js';
import type { AssignedKey, AssignedKeys } from '../domain/transform.js';
import { handleParts } from '../store/handle-names.js';
import { allocateHandle, type Handles, handleStem, handlesOf, reserveHandle } from '../store/handles.js';
import { handleLock, type LockName } from '../store/locks.js';
import { loadObjects } from '../store/objects.js';
import type { Source } from '../store/sources.js';
import type { Db } from '../store/stored-object.js';

/** The keys that the registry assigned to the new objects of a write. */
export interface KeyAssignment {
  readonly byPlaceholder: AssignedKeys;
  /** The key of each change; undefined when its object has one. */
  readonly own: readonly (AssignedKey | undefined)[];
  /** The errors of each change: why it cannot get a key. */
  readonly messages: readonly (readonly Message[])[];
}

/** How each change gets its key; `exists` is whether its object does. */
export function keyClaims(
  { name }: Source,
  policy: Policy,
  changes: readonly Prepared[],
  exists: readonly boolean[],
): KeyClaim[] {
  return changes.map((change, at) =>
    change.verb === 'create' && !exists[at] ? keyClaim(change, name, policy) : { kind: 'none' },
  );
}

/** The locks under which these keys are assigned: of the stems of their handles. */
export function stemLocks(source: Source, changes: readonly Prepared[], claims: readonly KeyClaim[]): LockName[] {
  const stems = claims.map((claim, at) => {
    const { type, key } = changes[at]!;
    if (claim.kind === 'allocate') return handleStem(claim.handle, claim.initials, source.name);
    return claim.kind === 'reserve' ? handleParts(type, key.folded) : undefined;
  });
  return stems.flatMap((stem) => (stem === undefined ? [] : [handleLock(stem)]));
}

/** Assigns keys to new objects and reserves given handles. */
export async function assignKeys(
  db: Db,
  source: Source,
  changes: readonly Prepared[],
  claims: readonly KeyClaim[],
): Promise<KeyAssignment> {
  const handles = handlesOf(db, source.id);
  const byPlaceholder = new Map<string, AssignedKey>();
  const own: (AssignedKey | undefined)[] = [];
  const said: Message[][] = [];
  for (const [index, change] of changes.entries()) {
    const claim = claims[index]!;
    const result = change.verb === 'delete' ? {} : await settle(db, source, handles, change, claim, byPlaceholder);
    if (result.key !== undefined && claim.kind === 'allocate') {
      byPlaceholder.set(claim.placeholder, result.key);
    }
    own.push(result.key);
    said.push(result.message === undefined ? [] : [result.message]);
  }
  return { byPlaceholder, own, messages: said };
}

interface Settled {
  readonly key?: AssignedKey;
  readonly message?: Message;
}

async function settle(
  db: Db,
  source: Source,
  handles: Handles,
  change: PreparedWrite,
  claim: KeyClaim,
  earlier: AssignedKeys,
): Promise<Settled> {
  switch (claim.kind) {
    case 'none':
      return {};
    case 'refuse':
      return { message: claim.message };
    case 'reserve':
      return (await reserve(db, source, handles, change)) ? {} : { message: claim.refusal };
    case 'allocate': {
      if (earlier.has(claim.placeholder)) {
        const place = places(change.object, autoKeyAttribute(change.type)!)[0]!;
        return { message: messages.autoKeyRepeated(change.key.shown, place) };
      }
      const key = await allocateHandle(handles, claim.handle, claim.initials, source.name);
      return { key: { type: change.type, key } };
    }
  }
}

/** Reserves a fixed handle if it was never used. */
async function reserve(db: Db, source: Source, handles: Handles, { type, key }: PreparedWrite): Promise<boolean> {
  const ids = (['person', 'role'] as const).map((one) => ({ sourceId: source.id, type: one, key: key.folded }));
  const [isFree, bearers] = await together(reserveHandle(handles, type, key.folded), loadObjects(db, ids));
  return isFree && bearers.every((bearer) => bearer === undefined);
}
