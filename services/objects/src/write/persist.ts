import type { Change } from '../domain/change.js';
import type { Decision } from '../domain/decide.js';
import type { NamedContact } from '../domain/known-objects.js';
import type { Source } from '../store/sources.js';
import type { StoredObject } from '../store/stored-object.js';
import type { ObjectChange } from '../store/writes.js';

/** A change with its decision, and the data for storing it. */
export interface DecidedChange {
  readonly change: Change;
  readonly decision: Decision;
  /** The text to store; empty when the change stores none. */
  readonly text: string;
  /** Of the object of the decision. */
  readonly contacts: readonly NamedContact[];
  readonly key: string;
  /** The stored row of the key, also of a deleted object. */
  readonly row: StoredObject | undefined;
  readonly reason: string;
  /** For a key-cert: `CertificateFacts.signingSubkeys`. */
  readonly signingSubkeys: readonly string[];
}

/** The effect of a granted change on its object; none when that is unchanged. */
export function objectChanges(source: Source, changes: readonly DecidedChange[]): ObjectChange[] {
  return changes.flatMap((change) => objectChange(source, change) ?? []);
}

function objectChange(source: Source, one: DecidedChange): ObjectChange | undefined {
  const { decision, text, row, reason, signingSubkeys } = one;
  const { object } = decision;
  const state = { object, text, signingSubkeys };
  switch (decision.outcome) {
    case 'created': {
      const id = { sourceId: source.id, type: object.type, key: one.key };
      return { kind: 'create', id, stored: row, state };
    }
    case 'modified':
      return { kind: 'update', stored: row!, state };
    case 'deleted':
      return { kind: 'delete', stored: row!, reason };
    default:
      return undefined;
  }
}

/** The states that stored changes have, given the serial of the first one. */
export function storedStates(
  source: Source,
  changes: readonly DecidedChange[],
  first: bigint,
  now: Date,
): StoredObject[] {
  let serial = first;
  return changes.map((change) => {
    const stored = previewOf(source, change, now);
    return change.decision.outcome === 'unchanged' ? stored : { ...stored, serial: serial++ };
  });
}

/** The state that a change stores, without its serial. */
export function previewOf(source: Source, change: DecidedChange, now: Date): StoredObject {
  const { decision, row } = change;
  if (decision.outcome === 'unchanged') return row!;
  return {
    sourceId: source.id,
    type: decision.object.type,
    key: change.key,
    revision: (row?.revision ?? 0) + 1,
    serial: 0n,
    deleted: decision.outcome === 'deleted',
    created: decision.outcome === 'created' ? now : row?.created,
    modified: now,
    text: decision.outcome === 'deleted' ? row!.text : change.text,
    tags: decision.outcome === 'modified' ? row!.tags : [],
  };
}
