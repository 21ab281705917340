import type { RpslObject } from '@cadastre/rpsl';
import { together } from '@cadastre/service';
import { hash64 } from '@cadastre/service/hash64';
import type { Notice } from '../domain/notices.js';
import type { StoredResult, WriteKey } from '../domain/repeatable.js';
import type { Charge } from '../domain/storage-quota.js';
import { operations, typeCodes } from './codes.js';
import { handleParts } from './handles.js';
import { lockSource } from './locks.js';
import { nameAddresses } from './mail-addresses.js';
import { namesLiteral, type WriteNames } from './names.js';
import { recordNotices } from './notices.js';
import { indexedTexts } from './references.js';
import { freeKeys, keepRepeatable } from './repeatable-writes.js';
import { changeChannel, type Granted, grantedSetting, type Moment, serverExpression } from './serials.js';
import { rangeLiteral, spanOfObject } from './spans.js';
import { addingStorageUse } from './storage-use.js';
import type { Db, ObjectId, StoredObject } from './stored-object.js';

/** The new state of an object. */
interface NewState {
  readonly object: RpslObject;
  /** The same object as text, for readers. */
  readonly text: string;
  /** Of a key-cert: `CertificateFacts.signingSubkeys`. */
  readonly signingSubkeys: readonly string[];
}

/** What to do with an object. `stored` is its row, also of a deleted object. */
export type ObjectChange =
  | {
      readonly kind: 'create';
      readonly id: ObjectId;
      readonly stored: StoredObject | undefined;
      readonly state: NewState;
    }
  | { readonly kind: 'update'; readonly stored: StoredObject; readonly state: NewState }
  | { readonly kind: 'delete'; readonly stored: StoredObject; readonly reason: string };

/** A decided write: what to store, all or nothing, and what the decision depends on. */
export interface DecidedWrite {
  /** The state of the source before anything was read. */
  readonly since: Moment;
  readonly names: WriteNames;
  readonly changes: readonly ObjectChange[];
  /** Time of the write. */
  readonly instant: Date;
  /** The addresses (folded) that the registry does not know yet, and how many of them the account may name in a day. */
  readonly named: { readonly account: string; readonly addresses: readonly string[]; readonly bound: number };
  /** Its notifications. */
  readonly notice: Notice | undefined;
  /** The key for a retry. */
  readonly repeatable: { readonly key: WriteKey; readonly results: readonly StoredResult[] } | undefined;
  /** Its charges. */
  readonly charges: readonly Charge[];
}

/**
 * The errors (SQLSTATE) of a key and of a handle that became used since they were read: a load reserves handles before
 * it has the row of the source.
 */
export const takenStates: readonly string[] = ['23505', '23502'];

/**
 * Stores writes of a source, none of which read what another one of them writes. Returns the serial of the first change
 * of each (meaningless without changes); undefined for those that must be decided again, because data that they read
 * was written since. Sends all statements together: the caller commits behind them, before it looks at the answers.
 */
export async function storeWrites(
  db: Db,
  sourceId: number,
  writes: readonly DecidedWrite[],
): Promise<(bigint | undefined)[]> {
  const { name, text, values } = storing(sourceId, writes);
  const grantedAt = (at: number): Granted => ({ place: `,${at + 1},` });
  const notices = writes.flatMap(({ notice }, at) =>
    notice === undefined ? [] : [{ notice, granted: grantedAt(at) }],
  );
  const records = () => [
    ...writes.flatMap(({ named, repeatable, instant }, at) => [
      ...(named.addresses.length === 0 ? [] : [nameAddresses(db, named, instant, grantedAt(at))]),
      ...(repeatable === undefined
        ? []
        : [keepRepeatable(db, repeatable.key, repeatable.results, instant, grantedAt(at))]),
    ]),
    ...(notices.length === 0 ? [] : [recordNotices(db, sourceId, notices)]),
  ];
  const [, { rows }] = await together(
    lockSource(db, sourceId),
    db.query<{ place: number; first: bigint }>({ name, text, values }),
    together(...records()),
  );
  const firsts = new Array<bigint | undefined>(writes.length).fill(undefined);
  for (const { place, first } of rows) firsts[place - 1] = first;
  return firsts;
}

/**
 * A write is decided again when more changes than this were committed since it was read: checking them would delay all
 * others.
 */
const maxNews = 5_000;

const kinds = { create: 1, restore: 2, update: 3, delete: 4 } as const;

/** A change as a row of parameters. */
interface ChangeRow {
  readonly place: number;
  readonly kind: keyof typeof kinds;
  readonly id: ObjectId;
  /** After the change. */
  readonly revision: number;
  readonly created: Date | undefined;
  readonly state: NewState | undefined;
  readonly reason: string;
  readonly instant: Date;
}

function rowOf(change: ObjectChange, place: number, instant: Date): ChangeRow {
  const common = { place, instant, reason: change.kind === 'delete' ? change.reason : '' };
  const revision = (change.stored?.revision ?? 0) + 1;
  if (change.kind === 'create') {
    const kind = change.stored === undefined ? 'create' : 'restore';
    return { ...common, kind, id: change.id, revision, created: instant, state: change.state };
  }
  const { stored, kind } = change;
  return {
    ...{ ...common, kind, id: stored, revision, created: stored.created },
    state: change.kind === 'delete' ? undefined : change.state,
  };
}

/** The statement that validates and stores. Its parts see the stored state before it. */
function storing(sourceId: number, writes: readonly DecidedWrite[]) {
  const rows = writes.flatMap(({ changes, instant }, at) => changes.map((change) => rowOf(change, at + 1, instant)));
  const values: unknown[] = [sourceId];
  const add = (value: unknown) => `$${values.push(value)}`;
  const has = (...wanted: (keyof typeof kinds)[]) => rows.some(({ kind }) => wanted.includes(kind));
  const spans = rows.map(({ state }) => state && spanOfObject(state.object));
  const spansIn = (column: 'span' | 'span6') =>
    spans.map((span) => (span?.column === column ? rangeLiteral(span) : null));
  const handles = rows.flatMap(({ place, kind, id }) => {
    const parts = kind === 'create' ? handleParts(id.type, id.key) : undefined;
    return parts === undefined ? [] : [{ place, ...parts }];
  });
  const charges = writes.flatMap((one, at) => one.charges.map((charge) => ({ place: at + 1, charge })));
  const keys = writes.flatMap(({ repeatable, instant }, at) =>
    repeatable === undefined ? [] : [{ place: at + 1, key: repeatable.key, instant }],
  );

  const parts = [
    `write as materialized (
      select place, since, server, read::bigint[] as read, written::bigint[] as written
      from unnest(${add(writes.map(({ since }) => since.serial))}::bigint[],
        ${add(writes.map(({ since }) => since.server))}::text[],
        ${add(writes.map(({ names }) => namesLiteral(names.read)))}::text[],
        ${add(writes.map(({ names }) => namesLiteral(names.written)))}::text[])
        with ordinality as one (since, server, read, written, place)
    )`,
    `wanted as materialized (
      select place, type, key, revision, kind, instant, created, text, refs::bigint[] as refs, span::int8range as span,
        span6::numrange as span6, reason, number
      from unnest(${add(rows.map(({ place }) => place))}::integer[],
        ${add(rows.map(({ id }) => typeCodes[id.type]))}::smallint[],
        ${add(rows.map(({ id }) => id.key))}::text[],
        ${add(rows.map(({ revision }) => revision))}::integer[],
        ${add(rows.map(({ kind }) => kinds[kind]))}::smallint[],
        ${add(rows.map(({ instant }) => instant))}::timestamptz[],
        ${add(rows.map(({ created }) => created ?? null))}::timestamptz[],
        ${add(rows.map(({ state }) => state?.text ?? null))}::text[],
        ${add(rows.map(({ state }) => `{${state === undefined ? '' : hashesOf(state)}}`))}::text[],
        ${add(spansIn('span'))}::text[],
        ${add(spansIn('span6'))}::text[],
        ${add(rows.map(({ reason }) => reason))}::text[])
        with ordinality as one (place, type, key, revision, kind, instant, created, text, refs, span, span6, reason, number)
    )`,
    `since as materialized (
      select s.serial, s.unnamed_serial, (select min(since) from write) as oldest from source s where s.id = $1
    )`,
    `news as materialized (
      select c.serial, c.locks from change c where c.source_id = $1 and c.serial > (select oldest from since)
      order by c.serial limit ${maxNews}
    )`,
    // Sorted, because both may have thousands of names.
    `refused as materialized (
      select distinct place from (
        select place, since, max(serial) over (partition by name) as newest from (
          select place, since, unnest(read) as name, null::bigint as serial from write
          union all select null, null, unnest(locks), serial from news
        ) named
      ) met where place is not null and newest > since
    )`,
    // A state with another revision than the one that was read shows a writer without names.
    `granted as materialized (
      select w.place, w.written from write w, since s
      where w.server = ${serverExpression} and w.since between s.unnamed_serial and s.serial
        and s.serial - s.oldest = (select count(*) from news)
        and w.place not in (select place from refused)
        and not exists (
          select from wanted c left join object o on o.source_id = $1 and o.type = c.type and o.key = c.key collate "C"
          where c.place = w.place and coalesce(o.revision, 0) <> c.revision - 1
        )${keys.length === 0 ? '' : ` and ${freeKeys(add, keys)}`}
    )`,
    `numbered as materialized (
      select c.*, row_number() over (order by c.number) as turn,
        case when row_number() over (partition by c.place order by c.number) = 1 then g.written else '{}' end as locks
      from wanted c join granted g on g.place = c.place
    )`,
    `taken as (
      update source set serial = serial + (select count(*) from numbered)
      where id = $1 and exists (select from numbered)
      returning serial - (select count(*) from numbered) as base, pg_notify('${changeChannel}', $1::text)
    )`,
    `announced as (
      insert into change (source_id, type, key, revision, serial, operation, instant, locks)
      select $1, type, key, revision, base + turn,
        case kind when ${kinds.delete} then ${operations.delete} else ${operations.update} end, instant, locks
      from numbered, taken
    )`,
    ...(has('create') ? [insertion] : []),
    ...(has('restore', 'update') ? [replacement] : []),
    ...(has('update', 'delete') ? [known, supersession] : []),
    ...(has('delete') ? [deletion] : []),
    ...(handles.length === 0 ? [] : [registration(add, handles)]),
    ...(charges.length === 0 ? [] : [addingStorageUse(add, charges)]),
  ];
  const hasRecords = writes.some(
    ({ named, notice, repeatable }) => named.addresses.length > 0 || notice !== undefined || repeatable !== undefined,
  );
  const setting = `set_config('${grantedSetting}', (select ',' || string_agg(place::text, ',') || ',' from granted), true)`;
  const text = `with ${parts.join(',\n')}
    select g.place::integer as place, coalesce((select base from taken), 0) + coalesce(min(c.turn), 0) as first
      ${hasRecords ? `, ${setting}` : ''}
    from granted g left join numbered c on c.place = g.place group by g.place`;
  const marks = [
    ...(Object.keys(kinds) as (keyof typeof kinds)[]).filter((kind) => has(kind)),
    ...(handles.length === 0 ? [] : ['handles']),
    ...(charges.length === 0 ? [] : ['charges']),
    ...(keys.length === 0 ? [] : ['keys']),
    ...(hasRecords ? ['records'] : []),
  ];
  return { name: ['store', ...marks].join('-'), text, values };
}

const insertion = `inserted as (
  insert into object (source_id, type, key, revision, serial, announced, modified, created, text, refs, span, span6)
  select $1, type, key, revision, base + turn, base + turn, instant, created, text, refs, span, span6
  from numbered, taken where kind = ${kinds.create}
)`;

const replacement = `replaced as (
  update object o set revision = c.revision, serial = base + turn, announced = base + turn, modified = c.instant,
    created = c.created, text = c.text, refs = c.refs, span = c.span, span6 = c.span6, deleted = false
  from numbered c, taken
  where c.kind in (${kinds.restore}, ${kinds.update}) and o.source_id = $1 and o.type = c.type
    and o.key = c.key collate "C"
)`;

/** The previous states. */
const known = `known as materialized (
  select o.*, c.kind, c.revision as new_revision, c.instant, c.reason, base + turn as new_serial
  from numbered c, taken, object o
  where c.kind in (${kinds.update}, ${kinds.delete}) and o.source_id = $1 and o.type = c.type
    and o.key = c.key collate "C"
)`;

const supersession = `superseded as (
  insert into version (source_id, type, key, revision, serial, created, operation, instant, text)
  select source_id, type, key, revision, serial, created, ${operations.update}, modified, text from known
)`;

const deletion = `deletion as (
  insert into version (source_id, type, key, revision, serial, created, operation, instant, text, reason)
  select source_id, type, key, new_revision, new_serial, created, ${operations.delete}, instant, text, reason
  from known where kind = ${kinds.delete}
),
remembered as (
  insert into former_span (source_id, type, key, span, span6)
  select source_id, type, key, span, span6 from known
  where kind = ${kinds.delete} and (span is not null or span6 is not null)
  on conflict do nothing
),
untagged as (
  delete from tag t using numbered c
  where c.kind = ${kinds.delete} and t.source_id = $1 and t.type = c.type and t.key = c.key collate "C"
),
emptied as (
  update object o set revision = c.revision, serial = base + turn, announced = base + turn, modified = c.instant,
    deleted = true, refs = '{}', span = null, span6 = null
  from numbered c, taken
  where c.kind = ${kinds.delete} and o.source_id = $1 and o.type = c.type and o.key = c.key collate "C"
)`;

/** A number that became used in the meantime makes the stem null, which fails the statement. */
function registration(
  add: (value: unknown) => string,
  handles: readonly { place: number; kind: string; stem: string; number: number }[],
): string {
  return `registered as (
    insert into handle as h (source_id, kind, stem, taken)
    select $1, d.kind, d.stem, range_agg(int4range(d.number, d.number + 1))
    from unnest(${add(handles.map(({ place }) => place))}::integer[],
      ${add(handles.map(({ kind }) => kind))}::text[],
      ${add(handles.map(({ stem }) => stem))}::text[],
      ${add(handles.map(({ number }) => number))}::integer[]) as d (place, kind, stem, number)
    join granted g on g.place = d.place
    group by d.kind, d.stem order by d.kind, d.stem
    on conflict (source_id, kind, stem) do update set taken = h.taken + excluded.taken,
      stem = case when h.taken && excluded.taken then null else h.stem end
  )`;
}

function hashesOf({ object, signingSubkeys }: NewState): string {
  return [...new Set(indexedTexts(object, signingSubkeys).map(hash64))].join();
}
