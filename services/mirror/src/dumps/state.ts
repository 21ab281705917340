import type { Pool, PoolClient } from 'pg';

/** The newest dump of a source. */
export interface StoredDump {
  readonly source: string;
  readonly serial: bigint;
  readonly began: Date;
  readonly written: Date;
}

/** The newest dumps of sources, by name. */
export async function readDumps(db: Pool, sources: readonly string[]): Promise<Map<string, StoredDump>> {
  const { rows } = await db.query<StoredDump>({
    name: 'read-dumps',
    text: 'select source, serial, began, written from dump where source = any($1)',
    values: [sources],
  });
  return new Map(rows.map((row) => [row.source, row]));
}

/** Records a dump. */
export async function recordDump(db: PoolClient, { source, serial, began, written }: StoredDump): Promise<void> {
  await db.query({
    name: 'record-dump',
    text: `insert into dump (source, serial, began, written) values ($1, $2, $3, $4)
           on conflict (source) do update
             set serial = excluded.serial, began = excluded.began, written = excluded.written`,
    values: [source, serial, began, written],
  });
}
