import { type Message, messages } from '@cadastre/rpsl';
import { autoKeyAttribute, type KeyClaim, keyClaim } from '../domain/auto-key.js';
import { places } from '../domain/places.js';
import type { Policy } from '../domain/policy.js';
import type { Prepared, PreparedWrite } from '../domain/submission.js';
import type { AssignedKey, AssignedKeys } from '../domain/transform.js';
import {
  allocateNicHandle,
  allocateOrganisation,
  allocateX509,
  type Handles,
  reserveHandle,
} from '../store/handles.js';
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

/** Assigns keys to new objects and reserves given handles. `exists`: whether the object of each change exists. */
export async function assignKeys(
  db: Db,
  source: Source,
  handles: Handles,
  policy: Policy,
  changes: readonly Prepared[],
  exists: readonly boolean[],
): Promise<KeyAssignment> {
  const byPlaceholder = new Map<string, AssignedKey>();
  const own: (AssignedKey | undefined)[] = [];
  const said: Message[][] = [];
  for (const [index, change] of changes.entries()) {
    const claim: KeyClaim =
      change.verb === 'create' && !exists[index] ? keyClaim(change, source.name, policy) : { kind: 'none' };
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
      return { key: { type: change.type, key: await allocate(handles, source, claim) } };
    }
  }
}

function allocate(handles: Handles, source: Source, claim: KeyClaim & { kind: 'allocate' }): Promise<string> {
  switch (claim.handle) {
    case 'nic-hdl':
      return allocateNicHandle(handles, claim.initials, source.name);
    case 'organisation':
      return allocateOrganisation(handles, claim.initials, source.name);
    case 'x509':
      return allocateX509(handles);
  }
}

/**
 * Reserves a fixed handle if it was never used. This waits for concurrent assignments with the same initials; afterwards
 * it checks again whether one of them took the handle.
 */
async function reserve(db: Db, source: Source, handles: Handles, { type, key }: PreparedWrite): Promise<boolean> {
  if (!(await reserveHandle(handles, type, key.folded))) {
    return false;
  }
  const bearers = (['person', 'role'] as const).map((one) => ({ sourceId: source.id, type: one, key: key.folded }));
  return (await loadObjects(db, bearers)).every((bearer) => bearer === undefined);
}
