import pg from 'pg';

/** Bytes on disk of tables of one name, or of indexes of one name. */
export interface DiskUse {
  /** "objects.object", without the number of a partition or generation. */
  readonly name: string;
  readonly kind: 'table' | 'index';
  /** Of a table with its large values, without its indexes. */
  readonly bytes: number;
}

const schemas = ['objects', 'search'];

/** The tables and indexes of objects and of searches, largest first. */
export async function measureDisk(databaseUrl: string): Promise<DiskUse[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ schema: string; name: string; relkind: string; bytes: string }>(
      `select n.nspname as schema, c.relname as name, c.relkind,
         case c.relkind when 'i' then pg_relation_size(c.oid) else pg_table_size(c.oid) end as bytes
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname = any($1) and c.relkind in ('r', 'm', 'i')`,
      [schemas],
    );
    const uses = rows.map(({ schema, name, relkind, bytes }): DiskUse => {
      const shown = `${schema}.${withoutNumbers(name)}`;
      return { name: shown, kind: relkind === 'i' ? 'index' : 'table', bytes: Number(bytes) };
    });
    return summed(uses);
  } finally {
    await client.end();
  }
}

/** "document_12_terms" and "object_3" have the numbers of a generation and of a partition. */
export function withoutNumbers(name: string): string {
  return name.replace(/_\d+(?=_|$)/g, '');
}

function summed(uses: readonly DiskUse[]): DiskUse[] {
  return [...Map.groupBy(uses, ({ name }) => name).values()]
    .map((alike) => ({ ...alike[0]!, bytes: alike.reduce((sum, { bytes }) => sum + bytes, 0) }))
    .sort((a, b) => b.bytes - a.bytes);
}
