import { type Message, messages } from '@cadastre/rpsl';
import { autoKeyAttribute, type KeyClaim, keyClaim } from '../domain/auto-key.js';
import type { Prepared, PreparedWrite } from '../domain/change.js';
import { objectName } from '../domain/known-objects.js';
import { places } from '../domain/places.js';
import type { Policy } from '../domain/policy.js';
import type { AssignedKey, AssignedKeys } from '../domain/transform.js';
import {
  allocateHandle,
  areTaken,
  type HandleParts,
  type HeldNumbers,
  handlesOf,
  reserveHandle,
} from '../store/handles.js';
import type { Source } from '../store/sources.js';
import type { Loaded, ObjectAddress } from './load-objects.js';
import type { Loading } from './loading.js';

/** The keys that the registry assigned to the new objects of a write. */
export interface KeyAssignment {
  readonly byPlaceholder: AssignedKeys;
  /** The key of each change; undefined when its object has one. */
  readonly own: readonly (AssignedKey | undefined)[];
  /** The errors of each change: why it cannot get a key. */
  readonly messages: readonly (readonly Message[])[];
  /** The numbers that they use. */
  readonly handles: readonly HandleParts[];
}

/** The objects that have or had the handle of a new object. */
export function holdersOfHandle({ type, key }: Prepared): ObjectAddress[] {
  return type === 'person' || type === 'role'
    ? (['person', 'role'] as const).map((one) => ({ type: one, key: key.folded }))
    : [];
}

interface KeyRequest {
  readonly source: Source;
  readonly policy: Policy;
  readonly changes: readonly Prepared[];
  /** The objects of the changes, and the holders of their handles. */
  readonly named: Pick<Loaded, 'rows' | 'objects'>;
  /** Gets the numbers that the write reserves; absent for a dry run, which only predicts. */
  readonly held: HeldNumbers | undefined;
}

/** Assigns keys to new objects and reserves given handles. */
export async function assignKeys(
  db: Loading,
  { source, policy, changes, named, held }: KeyRequest,
): Promise<KeyAssignment> {
  const handles = handlesOf(db, source.id, held, (handle) => db.ask(areTaken, handle));
  const byPlaceholder = new Map<string, AssignedKey>();
  const own: (AssignedKey | undefined)[] = [];
  const said: Message[][] = [];
  const settle = async (change: PreparedWrite, claim: KeyClaim): Promise<Settled> => {
    switch (claim.kind) {
      case 'none':
        return {};
      case 'refuse':
        return { message: claim.message };
      case 'reserve': {
        const isTaken = holdersOfHandle(change).some(({ type, key }) => named.rows.has(objectName(type, key)));
        return (await reserveHandle(handles, change.type, change.key.folded)) && !isTaken
          ? {}
          : { message: claim.refusal };
      }
      case 'allocate': {
        if (byPlaceholder.has(claim.placeholder)) {
          const place = places(change.object, autoKeyAttribute(change.type)!)[0]!;
          return { message: messages.autoKeyRepeated(change.key.shown, place) };
        }
        const key = await allocateHandle(handles, claim.handle, claim.initials, source.name);
        return { key: { type: change.type, key } };
      }
    }
  };
  for (const change of changes) {
    const isNew = change.verb === 'create' && !named.objects.has(objectName(change.type, change.key.folded));
    const claim: KeyClaim = isNew ? keyClaim(change, source.name, policy) : { kind: 'none' };
    const result = change.verb === 'delete' ? {} : await settle(change, claim);
    if (result.key !== undefined && claim.kind === 'allocate') byPlaceholder.set(claim.placeholder, result.key);
    own.push(result.key);
    said.push(result.message === undefined ? [] : [result.message]);
  }
  return { byPlaceholder, own, messages: said, handles: handles.given };
}

interface Settled {
  readonly key?: AssignedKey;
  readonly message?: Message;
}
