import type pg from 'pg';
import { enclosingBody, exactBody, insideBody, nearestBody, termsBody } from './opensearch-bodies.js';

/** A kind of query, through the whole system and, as a statement, directly to its database. */
export interface QueryScenario {
  readonly name: string;
  /** Path of the n-th query. */
  path(n: number): string;
  /** The main PostgreSQL statement of the search service for this query. */
  readonly statement: string;
  values(n: number): unknown[];
  /** The main OpenSearch search for this query. */
  body(n: number): object;
}

interface Network {
  readonly key: string;
  readonly first: string;
  readonly last: string;
}

const samples = 2_000;
const limit = 100;
const columns = 'd.type, d.key, d.text, d.revision, d.serial, d.created, d.modified, d.tags, d.first, d.last';
/** Queries for routes may have an origin; these have none. */
const byAddress = `and ($3::text is null or d.origin = $3) order by d.first, d.last desc, d.key limit ${limit}`;
const enclosing = "d.first is not null and numrange(d.first, d.last, '[]') @> numrange($1, $2, '[]')";

/** Queries for indexed objects; the same in every run over the same registry. */
export async function queryScenarios(client: pg.Pool, source: string): Promise<QueryScenario[]> {
  const table = await documentTable(client, source);
  const networks = await sample<Network>(
    client,
    table,
    'key, first, last',
    "type = 'inetnum' and last - first < 65536",
  );
  const wide = networks.filter(({ first, last }) => BigInt(last) - BigInt(first) >= 2047n);
  const pathOf = (query: string, ...more: readonly string[]) =>
    `/search.json?${[`source=${source}`, `query-string=${encodeURIComponent(query)}`, 'flags=r', ...more].join('&')}`;
  const network = (n: number, of = networks) => of[n % of.length]!;
  const address = (n: number) => ({ first: network(n).first, last: network(n).first });
  const firstAddress = ({ key }: Network) => key.split(' ')[0]!;
  const inetnum = 'type-filter=inetnum';
  const { maintainers, people } = await sampleTerms(client, table);
  return [
    {
      name: 'exact range',
      path: (n) => pathOf(network(n).key, 'flags=x', inetnum),
      statement: `select ${columns} from ${table} d where d.first = $1 and d.last = $2 ${byAddress}`,
      values: (n) => [network(n).first, network(n).last, null],
      body: (n) => exactBody(network(n)),
    },
    {
      name: 'nearest enclosing',
      path: (n) => pathOf(firstAddress(network(n)), inetnum),
      statement: `select ${columns} from ${table} d where (d.first, d.last) = (select first, last from
        (select d.first, d.last from ${table} d where ${enclosing} offset 0) enclosing
        order by first desc, last limit 1) ${byAddress}`,
      values: (n) => [network(n).first, network(n).first, null],
      body: (n) => nearestBody(address(n)),
    },
    {
      name: 'all enclosing',
      path: (n) => pathOf(firstAddress(network(n)), 'flags=L', inetnum),
      statement: `select * from (select ${columns} from ${table} d where ${enclosing}
        and ($3::text is null or d.origin = $3) offset 0) d
        order by d.first, d.last desc, d.key limit ${limit}`,
      values: (n) => [network(n).first, network(n).first, null],
      body: (n) => enclosingBody(address(n)),
    },
    {
      name: `more specific, up to ${limit}`,
      path: (n) => pathOf(network(n, wide).key, 'flags=M', inetnum, `limit=${limit}`),
      statement: `select ${columns} from ${table} d where d.first between $1 and $2 and d.last <= $2
        and not (d.first = $1 and d.last = $2) ${byAddress}`,
      values: (n) => [network(n, wide).first, network(n, wide).last, null],
      body: (n) => insideBody(network(n, wide)),
    },
    {
      name: `inverse by mntner, up to ${limit}`,
      path: (n) =>
        pathOf(nameIn(maintainers[n % maintainers.length]!), 'inverse-attribute=mnt-by', inetnum, `limit=${limit}`),
      statement: `select ${columns} from ${table} d where d.type = 'inetnum' and d.terms @> $1::text[]
        order by d.first, d.last desc, d.key limit ${limit}`,
      values: (n) => [[maintainers[n % maintainers.length]]],
      body: (n) => termsBody('inetnum', [[maintainers[n % maintainers.length]!]]),
    },
    {
      name: `name of a person, up to ${limit}`,
      path: (n) => pathOf(people[n % people.length]!.map(nameIn).join(' '), 'type-filter=person', `limit=${limit}`),
      statement: `select ${columns} from (select d.* from ${table} d where d.type = 'person' and (d.terms @> $1::text[]
        or d.terms @> $2::text[] or d.terms @> $3::text[]) offset 0) d order by d.key limit ${limit}`,
      values: (n) => personTerms(people[n % people.length]!),
      body: (n) => termsBody('person', personTerms(people[n % people.length]!)),
    },
  ];
}

/** The current table of the source's index. */
async function documentTable(client: pg.Pool, source: string): Promise<string> {
  const { rows } = await client.query<{ generation: number }>(
    'select generation from search.source_index where source = $1',
    [source],
  );
  return `search.document_${rows[0]!.generation}`;
}

/** Stored terms: "in:mnt-by=..." of networks, and the words of the names of persons. */
async function sampleTerms(client: pg.Pool, table: string) {
  const maintainers = await client.query<{ term: string }>(
    `select term from (select distinct term from ${table} d, unnest(d.terms) term
       where d.type = 'inetnum' and term like 'in:mnt-by=%') known order by md5(term) limit ${samples}`,
  );
  const people = await sample<{ terms: string[] }>(client, table, 'terms', "type = 'person'");
  return {
    maintainers: maintainers.rows.map(({ term }) => term),
    people: people.map(({ terms }) => terms.filter((term) => term.startsWith('pn:word='))),
  };
}

async function sample<R extends object>(client: pg.Pool, table: string, columns: string, condition: string) {
  const text = `select ${columns} from ${table} where ${condition} order by md5(key) limit ${samples}`;
  return (await client.query<R & pg.QueryResultRow>(text)).rows as R[];
}

/** Lists of terms of which a person must have one. */
function personTerms(words: readonly string[]): (readonly string[])[] {
  const name = words.map(nameIn).join(' ');
  return [[`pn:key=${name}`], words, [`pn:e-mail=${name}`]];
}

function nameIn(term: string): string {
  return term.slice(term.indexOf('=') + 1);
}
