import { type Counts, type InverseQuery, neededBy } from '../index-port.js';
import { storedTerm } from './documents.js';
import { knownObjects } from './load.js';
import type { Reader, Statement } from './reader.js';

/** A statement stops after so many matches, because it reads a row for each. */
const maxCounted = 100_000;

/** Counts the matches of all queries by one statement, after one that looks for the object that they need. */
export async function countByType(
  reader: Reader,
  source: string,
  queries: readonly InverseQuery[],
): Promise<Counts | undefined> {
  const ids = (neededBy(queries) ?? []).map((id) => ({ source, ...id }));
  const isNamed = ids.length === 0 || (await knownObjects(reader, ids)).includes(true);
  const found = await reader.rowsWithSerial<{ type: string; objects: bigint }>(
    source,
    statementOf(isNamed ? queries : []),
  );
  if (found === undefined) return undefined;
  const counts = new Map(found.rows.map(({ type, objects }) => [type, Number(objects)]));
  const total = [...counts.values()].reduce((sum, objects) => sum + objects, 0);
  return {
    serial: found.serial,
    counts: queries.map(({ type }) => counts.get(type) ?? 0),
    isPartial: total >= maxCounted,
  };
}

/** Parameters: single terms, the prefix of hosts, then one list of terms for each other alternative. */
function statementOf(queries: readonly InverseQuery[]): Statement {
  const lists = queries.flatMap((query) =>
    query.kind === 'terms' ? query.anyOf.map((all) => all.map((term) => storedTerm(query.type, term))) : [],
  );
  const several = lists.filter((all) => all.length > 1);
  const conditions = ['d.terms && $1::bigint[]', ...several.map((_, at) => `d.terms @> $${at + 3}::bigint[]`)];
  const hosts = queries.map((query) => (query.kind === 'hosts' ? query.prefix : query.hosts)).find(Boolean);
  const withHost = (table: string) =>
    `union (select 'domain', key from ${table} where host >= $2 and host < $2 || chr(1114111) limit ${maxCounted})`;
  return {
    text: ({ document, host }) => `
      select found.type, count(*) as objects
      from (
        (select d.type, d.key from ${document} d where ${conditions.join(' or ')} limit ${maxCounted})
        ${hosts === undefined ? '' : withHost(host)}
      ) found group by found.type`,
    values: [lists.filter((all) => all.length === 1).flat(), hosts ?? '', ...several],
  };
}
