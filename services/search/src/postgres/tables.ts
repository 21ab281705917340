import type pg from 'pg';

/**
 * Version of the tables: raise it when their columns, the number line, packed texts or the terms of documents change. A
 * release sees indexes of its own format only, so that the one before goes on with its own.
 */
export const format = 6;

/** A condition: the rows of this format and of the source that is the first parameter. */
export const ofFormat = `source = $1 and format = ${format}`;

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
    'insert into format_generation (source, format) values ($1, $2) returning number',
    [source, format],
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
      org text collate "C", -- folded; null for none, and without a range
      irts text[], -- null for none
      name text collate "C", -- folded; null for none, and for an object about a person
      person_name text collate "C", -- the name of an object about a person
      words integer[] not null -- hashes (storedWords)
    );
    create table ${host} (
      host text collate "C" not null,
      key text collate "C" not null
    );`);
  return generation;
}

/**
 * Builds the indexes, without which nothing can be replaced or removed, one after the other: those that an interrupted
 * call has built stay.
 */
export async function createIndexes(client: pg.ClientBase, generation: number): Promise<void> {
  const { document, host } = tablesOf(generation);
  // GiST: SP-GiST took quadratic time for nested ranges of numerics.
  const statements = {
    [`${document}_pkey`]: `alter table ${document} add constraint ${document}_pkey primary key (type, key)`,
    [`${host}_pkey`]: `alter table ${host} add constraint ${host}_pkey primary key (host, key)`,
    [`${host}_key`]: `create index ${host}_key on ${host} (key)`,
    [`${document}_terms`]: `create index ${document}_terms on ${document} using gin (terms) with (fastupdate = off)`,
    [`${document}_words`]: `create index ${document}_words on ${document} using gin (words) with (fastupdate = off)`,
    [`${document}_name`]: `create index ${document}_name on ${document} (type, name, key) where name is not null`,
    [`${document}_person_name`]: `create index ${document}_person_name on ${document} (type, person_name, key)
      where person_name is not null`,
    [`${document}_address`]: `create index ${document}_address on ${document} (first, last desc, key)
      where first is not null`,
    [`${document}_org`]: `create index ${document}_org on ${document} (org, type, first, last desc, key)
      where org is not null`,
    [`${document}_span`]: `create index ${document}_span on ${document} using gist (numrange(first, last, '[]'))
      where first is not null`,
  };
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
     where i.indrelid in ($1::regclass, $2::regclass)`,
    [document, host],
  );
  const built = new Set(rows.map(({ name }) => name));
  for (const [name, statement] of Object.entries(statements)) if (!built.has(name)) await client.query(statement);
  await client.query(`analyze ${document}, ${host}`);
}

export async function dropGeneration(client: pg.ClientBase, generation: number): Promise<void> {
  await dropTables(client, generation);
  await client.query('delete from format_generation where number = $1', [generation]);
}

/** Drops the index of a source in all other formats, which other releases made, with their rebuilds. */
export async function dropOtherFormats(client: pg.ClientBase, source: string): Promise<void> {
  for (const table of ['format_index', 'rebuild']) {
    await client.query(`delete from ${table} where source = $1 and format <> ${format}`, [source]);
  }
  await client.query('delete from source_index where source = $1', [source]);
  const { rows } = await client.query<{ number: number }>(
    `delete from format_generation where source = $1 and format <> ${format} returning number`,
    [source],
  );
  const { rows: ofRelease02 } = await client.query<{ number: number }>(
    'delete from generation where source = $1 returning number',
    [source],
  );
  for (const { number } of [...rows, ...ofRelease02]) await dropTables(client, number);
}

async function dropTables(client: pg.ClientBase, generation: number): Promise<void> {
  const { document, host } = tablesOf(generation);
  await client.query(`drop table if exists ${document}, ${host}`);
}
