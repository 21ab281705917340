import type pg from 'pg';

/** Version of the tables: raise it when their columns, the number line, packed texts or the terms of documents change. */
export const format = 3;

/** Names of the tables of a generation. */
export interface Tables {
  readonly document: string;
  readonly host: string;
}

export function tablesOf(generation: number): Tables {
  return { document: `document_${generation}`, host: `host_${generation}` };
}

/** Creates the tables of a new generation, without indexes, which are cheaper to build on full tables. */
export async function createGeneration(client: pg.ClientBase, source: string): Promise<number> {
  const { rows } = await client.query<{ number: number }>(
    'insert into generation (source) values ($1) returning number',
    [source],
  );
  const generation = rows[0]!.number;
  const { document, host } = tablesOf(generation);
  await client.query(`
    create table ${document} (
      serial bigint not null,
      created timestamptz,
      modified timestamptz not null,
      revision integer not null,
      size integer not null, -- bytes of the whole text
      type text collate "C" not null,
      key text collate "C" not null,
      text text not null, -- packed (packed-text.ts)
      tags json, -- null for none
      terms bigint[] not null, -- hashes (storedTerm)
      first numeric,
      last numeric,
      origin text collate "C",
      irts text[] -- null for none
    );
    create table ${host} (
      host text collate "C" not null,
      key text collate "C" not null
    );`);
  return generation;
}

/** Builds the indexes, without which nothing can be replaced or removed. GiST: SP-GiST took quadratic time for nested ranges of numerics. */
export async function createIndexes(client: pg.ClientBase, generation: number): Promise<void> {
  const { document, host } = tablesOf(generation);
  await client.query(`
    alter table ${document} add primary key (type, key);
    alter table ${host} add primary key (host, key);
    create index on ${host} (key);
    create index ${document}_terms on ${document} using gin (terms) with (fastupdate = off);
    create index ${document}_address on ${document} (first, last desc, key) where first is not null;
    create index ${document}_span on ${document} using gist (numrange(first, last, '[]'))
      where first is not null;
    analyze ${document};
    analyze ${host};`);
}

export async function dropGeneration(client: pg.ClientBase, generation: number): Promise<void> {
  const { document, host } = tablesOf(generation);
  await client.query(`drop table if exists ${document}, ${host}`);
  await client.query('delete from generation where number = $1', [generation]);
}
