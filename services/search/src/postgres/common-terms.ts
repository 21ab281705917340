import type { Reader } from './reader.js';

/** A term of so many objects is common: a statement finds all of them before it reads the first one. */
const manyObjects = 1000;

/** How long the answer of PostgreSQL is used. */
const maxAgeMs = 10 * 60_000;

/** The stored terms of a source that are common, as far as the statistics of PostgreSQL tell. */
export type CommonTerms = (source: string) => Promise<ReadonlySet<string>>;

/** While it reads them again, the ones read before count. */
export function createCommonTerms(reader: Reader): CommonTerms {
  const read = new Map<string, { terms: Promise<ReadonlySet<string>>; until: number }>();
  return (source) => {
    const known = read.get(source);
    if (known !== undefined && performance.now() < known.until) return known.terms;
    const newest = readTerms(reader, source);
    const terms = known === undefined ? newest : newest.catch(() => known.terms);
    const entry = { terms: known?.terms ?? terms, until: performance.now() + maxAgeMs };
    read.set(source, entry);
    terms.then(
      () => {
        entry.terms = terms;
      },
      () => read.delete(source),
    );
    return entry.terms;
  };
}

async function readTerms(reader: Reader, source: string): Promise<ReadonlySet<string>> {
  const rows = await reader.rows<{ term: string }>(source, {
    text: ({ document }) => `
      select common.term
      from pg_class document join pg_namespace space on space.oid = document.relnamespace
      join pg_stats stats on (stats.schemaname, stats.tablename) = (space.nspname, document.relname),
      unnest(stats.most_common_elems::text::text[], stats.most_common_elem_freqs) as common (term, frequency)
      where document.oid = '${document}'::regclass and stats.attname = 'terms'
        and common.frequency * document.reltuples >= ${manyObjects}`,
    values: [],
  });
  return new Set(rows.map(({ term }) => term));
}
