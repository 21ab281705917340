import { type Message, messages } from '@cadastre/rpsl';
import { autoKeyAttribute, type KeyClaim, keyClaim } from '../domain/auto-key.js';
import { places } from '../domain/places.js';
import type { Policy } from '../domain/policy.js';
import type { Prepared, PreparedWrite } from '../domain/submission.js';
import type { ClaimedKey, ClaimedKeys } from '../domain/transform.js';
import {
  allocateNicHandle,
  allocateOrganisation,
  allocateX509,
  isHandleTaken,
  registerHandles,
} from '../store/handles.js';
import { loadObjects } from '../store/objects.js';
import type { Source } from '../store/sources.js';
import type { Db } from '../store/stored-object.js';

/** The keys that were made up for the new objects of a write. */
export interface Claims {
  readonly byPlaceholder: ClaimedKeys;
  /** Of each change. */
  readonly own: readonly (ClaimedKey | undefined)[];
  /** Of each change: what stood in the way. */
  readonly messages: readonly (readonly Message[])[];
}

/** Takes keys and handles for the new objects; a rollback gives them back. `exists` tells of each whether it exists. */
export async function claimKeys(
  db: Db,
  source: Source,
  policy: Policy,
  changes: readonly Prepared[],
  exists: readonly boolean[],
): Promise<Claims> {
  const byPlaceholder = new Map<string, ClaimedKey>();
  const own: (ClaimedKey | undefined)[] = [];
  const said: Message[][] = [];
  for (const [index, change] of changes.entries()) {
    const claim: KeyClaim =
      change.verb === 'create' && !exists[index] ? keyClaim(change, source.name, policy) : { kind: 'none' };
    const result = change.verb === 'delete' ? {} : await settle(db, source, change, claim, byPlaceholder);
    if (result.key !== undefined && claim.kind === 'allocate') {
      byPlaceholder.set(claim.placeholder, result.key);
    }
    own.push(result.key);
    said.push(result.message === undefined ? [] : [result.message]);
  }
  return { byPlaceholder, own, messages: said };
}

interface Settled {
  readonly key?: ClaimedKey;
  readonly message?: Message;
}

async function settle(
  db: Db,
  source: Source,
  change: PreparedWrite,
  claim: KeyClaim,
  earlier: ClaimedKeys,
): Promise<Settled> {
  switch (claim.kind) {
    case 'none':
      return {};
    case 'refuse':
      return { message: claim.message };
    case 'reserve':
      return (await reserve(db, source, change)) ? {} : { message: claim.refusal };
    case 'allocate': {
      if (earlier.has(claim.placeholder)) {
        const place = places(change.object, autoKeyAttribute(change.type)!)[0]!;
        return { message: messages.autoKeyRepeated(change.key.shown, place) };
      }
      return { key: { type: change.type, key: await allocate(db, source, claim) } };
    }
  }
}

function allocate(db: Db, source: Source, claim: KeyClaim & { kind: 'allocate' }): Promise<string> {
  switch (claim.handle) {
    case 'nic-hdl':
      return allocateNicHandle(db, source.id, claim.initials, source.name);
    case 'organisation':
      return allocateOrganisation(db, source.id, claim.initials, source.name);
    case 'x509':
      return allocateX509(db, source.id);
  }
}

/**
 * Takes a fixed handle if it was never used. Registering it waits for others who are just being given one of the same
 * stem; whether they were given this one is seen by looking again.
 */
async function reserve(db: Db, source: Source, { type, key }: PreparedWrite): Promise<boolean> {
  if (await isHandleTaken(db, source.id, type, key.folded)) {
    return false;
  }
  await registerHandles(db, source.id, [{ type, key: key.folded }]);
  const bearers = (['person', 'role'] as const).map((one) => ({ sourceId: source.id, type: one, key: key.folded }));
  return (await loadObjects(db, bearers)).every((bearer) => bearer === undefined);
}
