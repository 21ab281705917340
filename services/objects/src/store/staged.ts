import { batchWithStored, emptyBatch } from './bulk.js';
import type { Db } from './stored-object.js';

// A replacing load collects changed objects in the table `staged`, so that it can store them at its end in one
// transaction (ADR 0031). The rows of a source belong to its row in `replacing_load`.

/** The newest replacing load of a source. */
interface ReplacingLoad {
  /** Its name. */
  readonly load: string;
  readonly since: Date;
  /** Whether readers see only a part of it. */
  readonly visible: boolean;
}

/** Undefined before the first one. */
export async function newestReplacingLoad(db: Db, sourceId: number): Promise<ReplacingLoad | undefined> {
  const text = 'select load, since, visible from replacing_load where source_id = $1';
  return (await db.query<ReplacingLoad>(text, [sourceId])).rows[0];
}

/**
 * Begins a replacing load and removes the staged objects of an earlier one. If readers see a part of that one, they do
 * so until this one ends. Needs a transaction.
 */
export async function beginReplacing(db: Db, sourceId: number, { load, since, visible }: ReplacingLoad): Promise<void> {
  await discardStaged(db, sourceId);
  await db.query(
    `insert into replacing_load as r (source_id, load, since, visible) values ($1, $2, $3, $4)
     on conflict (source_id) do update set load = excluded.load, visible = r.visible or excluded.visible,
       since = case when r.visible then r.since else excluded.since end`,
    [sourceId, load, since, visible],
  );
}

/** Sets whether readers see a part of the newest replacing load. */
export async function setReplacingVisible(db: Db, sourceId: number, visible: boolean): Promise<void> {
  await db.query('update replacing_load set visible = $2 where source_id = $1 and visible <> $2', [sourceId, visible]);
}

/** A replacing load that is not finished, and of which readers see a part. */
export interface UnfinishedReplace {
  readonly source: string;
  readonly since: Date;
}

export const unfinishedReplaces =
  'select s.name as source, r.since from replacing_load r join source s on s.id = r.source_id where r.visible';

/** How much is staged. */
export interface StagedSize {
  readonly objects: number;
  /** Bytes of text. */
  readonly bytes: number;
}

export async function stagedSize(db: Db, sourceId: number): Promise<StagedSize> {
  const { rows } = await db.query<{ objects: bigint; bytes: bigint }>(
    `select count(*) as objects, coalesce(sum(octet_length(text)), 0)::bigint as bytes from staged where source_id = $1`,
    [sourceId],
  );
  return { objects: Number(rows[0]!.objects), bytes: Number(rows[0]!.bytes) };
}

const columns = 'type, created, modified, key, text, refs, span, span6';

/**
 * Stages the differences of a batch (`bulk.ts`); does not replace a key that is staged already. Returns the added size.
 */
export async function stageBatch(db: Db, sourceId: number): Promise<StagedSize> {
  const { rows } = await db.query<{ objects: bigint; bytes: bigint }>(
    `with added as (
       insert into staged (source_id, ${columns})
       select $1, l.type, l.created, l.modified, l.key, l.text, l.refs, l.span, l.span6
       from ${batchWithStored}
       where o.revision is null or o.deleted or o.text <> l.text
       on conflict do nothing returning octet_length(text) as bytes
     )
     select count(*) as objects, coalesce(sum(bytes), 0)::bigint as bytes from added`,
    [sourceId],
  );
  return { objects: Number(rows[0]!.objects), bytes: Number(rows[0]!.bytes) };
}

/** A page of the staged objects after a key, in the order of type and key. */
interface StagedPage {
  readonly type: number;
  readonly key: string;
}

/** Maximum objects of one statement: without hash joins, larger ones take much longer. */
const pageSize = 2_000;

/**
 * Moves the staged objects into batches (`bulk.ts`), one after the other in the same transaction; `store` stores each.
 * Nothing is staged afterwards.
 */
export async function takeStaged(db: Db, sourceId: number, store: () => Promise<void>): Promise<void> {
  for (let after: StagedPage | undefined = { type: 0, key: '' }; after !== undefined; ) {
    await emptyBatch(db);
    const { rows }: { rows: StagedPage[] } = await db.query<StagedPage>(
      `with page as (
         select * from staged where source_id = $1 and (type, key) > ($2, $3) order by type, key limit ${pageSize}
       ), batch as (
         insert into pg_temp.loading (source_id, revision, serial, announced, ${columns})
         select source_id, 1, n, n, ${columns} from (select *, row_number() over (order by type, key) as n from page) p
       )
       select type, key from page order by type desc, key desc limit 1`,
      [sourceId, after.type, after.key],
    );
    after = rows[0];
    if (after !== undefined) await store();
  }
  await discardStaged(db, sourceId);
}

/** Removes all staged objects. */
export async function discardStaged(db: Db, sourceId: number): Promise<void> {
  await db.query('delete from staged where source_id = $1', [sourceId]);
}
