import { type CommitWith, together } from '@cadastre/service';
import type { Change } from '../domain/change.js';
import type { NamedContact } from '../domain/contacts.js';
import type { Decision } from '../domain/decide.js';
import type { Notice } from '../domain/notices.js';
import type { StoredResult, WriteKey } from '../domain/repeatable.js';
import type { Charge } from '../domain/storage-quota.js';
import { nameAddresses } from '../store/mail-addresses.js';
import { recordNotice } from '../store/notices.js';
import { keepRepeatable } from '../store/repeatable-writes.js';
import type { Source } from '../store/sources.js';
import { addStorageUse } from '../store/storage-use.js';
import type { Db, StoredObject } from '../store/stored-object.js';
import { createObject, deleteObject, updateObject } from '../store/writes.js';

/** A change with its decision, and what storing it takes. */
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

/** What is stored with changes. */
export interface Records {
  /** The addresses (folded) that the registry does not know yet, and how many such the account may name on a day. */
  readonly named: { readonly account: string; readonly addresses: readonly string[]; readonly bound: number };
  /** Whom they tell. */
  readonly notice: Notice | undefined;
  /** The key under which the write may be repeated. */
  readonly repeatable: { readonly key: WriteKey; readonly results: readonly StoredResult[] } | undefined;
  /** Who pays for them. */
  readonly charges: readonly Charge[];
}

/**
 * Stores granted changes with consecutive serials, and what belongs to them; an unchanged object takes none. The last step of a
 * transaction: one change is committed in the exchange that stores it.
 */
export async function persist(
  db: Db,
  commitWith: CommitWith,
  source: Source,
  changes: readonly DecidedChange[],
  { named, notice, repeatable, charges }: Records,
  now: Date,
): Promise<StoredObject[]> {
  // The records come first: the statements of changes lock the serial of the source.
  const all = async () => {
    const records = [
      ...(named.addresses.length === 0 ? [] : [nameAddresses(db, named, now)]),
      ...(notice === undefined ? [] : [recordNotice(db, source.id, notice)]),
      ...(repeatable === undefined ? [] : [keepRepeatable(db, repeatable.key, repeatable.results, now)]),
      ...(charges.length === 0 ? [] : [addStorageUse(db, charges)]),
    ];
    // When a record fails, this is the error, not that of the statements after it.
    const [, stored] = await together(
      together(...records),
      together(...changes.map((change) => persistOne(db, source, change, now))),
    );
    return stored;
  };
  const statements = changes.filter(({ decision }) => decision.outcome !== 'unchanged').length;
  return [...(await (statements === 1 ? commitWith(all) : all()))];
}

/** The state that a change would store, for a dry run. */
export function previewOf(source: Source, change: DecidedChange, now: Date): StoredObject {
  const { decision, row } = change;
  if (decision.outcome === 'unchanged') {
    return row!;
  }
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

async function persistOne(db: Db, source: Source, change: DecidedChange, now: Date): Promise<StoredObject> {
  const { decision, text, row, reason, signingSubkeys } = change;
  const { object } = decision;
  const state = () => ({ object, text, signingSubkeys, instant: now });
  switch (decision.outcome) {
    case 'created':
      return createObject(db, { sourceId: source.id, type: object.type, key: change.key }, row, {
        ...state(),
        created: now,
      });
    case 'modified':
      return updateObject(db, row!, state());
    case 'deleted':
      return deleteObject(db, row!, { instant: now, reason });
    default:
      return row!;
  }
}
