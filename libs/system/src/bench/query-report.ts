import type { Series } from './closed-loop.js';
import type { Queries } from './measure-all-queries.js';
import type { OpenSearchResult } from './measure-opensearch.js';
import type { QueryResult } from './measure-queries.js';
import { cpuText, table, whole } from './report.js';

/** The results of search and geo as text. */
export function queryReportOf(queries: Queries, openSearch?: OpenSearchResult): string {
  const { visibility, indexSeconds } = queries;
  const searches = [...queries.searches, ...(openSearch?.searches ?? [])];
  return [
    `Queries over HTTP, ${searches[0]?.clients} clients; beside each its main statement or search, straight`,
    searchTable(searches),
    `The index in PostgreSQL was complete after another ${indexSeconds.toFixed(1)} s.`,
    ...(openSearch ? [indexingOf(openSearch)] : []),
    '',
    `A write is found by searches after p50 ${visibility.p50Ms.toFixed(1)} ms, p99 ${visibility.p99Ms.toFixed(1)} ms ` +
      `(${visibility.writes} writes; between two looks at most ${visibility.resolutionMs.toFixed(1)} ms)`,
    '',
    'Abuse contacts over gRPC',
    contactTable(queries),
    '',
  ].join('\n');
}

function indexingOf({ indexedObjects, indexSeconds }: OpenSearchResult): string {
  const perSecond = whole(indexedObjects / indexSeconds);
  return `The index in OpenSearch took in ${whole(indexedObjects)} objects, ${perSecond} objects/s.`;
}

function searchTable(searches: readonly QueryResult[]): string {
  const row = (name: string, series: Series, share: string) => [name, ...figures(series), share, ...causes(series)];
  return table([
    ['', 'queries/s', 'p50 ms', 'p99 ms', 'of straight', 'foreign', 'CPU us per query'],
    ...searches.flatMap(({ adapter, name, through, straight }) => [
      row(`${adapter}: ${name}`, through, (through.perSecond / straight.perSecond).toFixed(2)),
      row('  straight', straight, ''),
    ]),
  ]);
}

function contactTable({ contacts }: Queries): string {
  return table([
    ['', 'clients', 'answers/s', 'p50 ms', 'p99 ms', 'found', 'foreign', 'CPU us per answer'],
    ...contacts.map(({ kind, clients, questions, foundPercent, series }) => [
      kind === 'single' ? 'one question for each call' : `streams of ${questions} questions`,
      clients,
      ...figures(series),
      `${foundPercent.toFixed(0)} %`,
      ...causes(series),
    ]),
  ]);
}

function figures({ perSecond, p50Ms, p99Ms }: Series): string[] {
  return [whole(perSecond), p50Ms.toFixed(2), p99Ms.toFixed(2)];
}

function causes({ foreignPercent, cpuUs }: Series): string[] {
  return [`${foreignPercent.toFixed(0)} %`, cpuText(cpuUs)];
}
