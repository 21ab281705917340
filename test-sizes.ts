import path from 'node:path';

/**
 * The tests have two sizes: `make test` checks each behaviour once; `make test-long` repeats tests with random results,
 * measures, and injects faults under load. .ci/run runs all files, with repetitions in between (`gateCount`). `node
 * scripts/test-sizes.ts` writes docs/develop/test-sizes.md.
 */
type Size = 'short' | 'long';

/** A number that differs between the sizes. */
interface Count extends Readonly<Record<Size, number>> {
  readonly file: string;
  readonly what: string;
}

/** Repetitions in some files. Tests read theirs by `inject('counts')`. */
export const sizes = {
  fuzzRequests: { file: 'libs/system/tests/fuzz.test.ts', what: 'generated requests', short: 1_000, long: 50_000 },
  rdapDocuments: {
    file: 'libs/system/tests/rdap.test.ts',
    what: 'documents of a synthetic registry',
    short: 200,
    long: 1_000,
  },
  relatedTrees: { file: 'libs/system/tests/rdap-relations.test.ts', what: 'trees of each type', short: 1, long: 3 },
  leakLookups: { file: 'libs/system/tests/backends-fail.test.ts', what: 'lookups', short: 8_000, long: 100_000 },
  whoisQueries: { file: 'libs/system/tests/whois-ripe.test.ts', what: 'random queries', short: 50, long: 500 },
  pastInstants: {
    file: 'services/objects/tests/past-search.test.ts',
    what: 'random instants',
    short: 50,
    long: 1_000,
  },
  pastReaders: { file: 'services/search/tests/page-places.test.ts', what: 'readers of the past', short: 4, long: 40 },
  pageCalls: { file: 'services/search/tests/page-places.test.ts', what: 'random calls', short: 10, long: 60 },
  indexKills: { file: 'services/search/tests/embedded-index.test.ts', what: 'kills of a writer', short: 2, long: 6 },
  namePatterns: { file: 'services/search/tests/opensearch.test.ts', what: 'random patterns', short: 40, long: 200 },
  spanTrees: {
    file: 'services/search/tests/opensearch.test.ts',
    what: 'random trees of each type',
    short: 8,
    long: 40,
  },
  failures: {
    file: 'libs/system/tests/shared/load-failures.test.ts',
    what: 'failures of each page',
    short: 2,
    long: 5,
  },
  concurrentWrites: {
    file: 'services/objects/tests/write-concurrency.test.ts',
    what: 'rounds of each race',
    short: 15,
    long: 40,
  },
  oracleSets: {
    file: 'services/whois/tests/filter-oracle.test.ts',
    what: 'random sets of which bgpq4 makes filters, in six ways',
    short: 50,
    long: 200,
  },
  oldServers: {
    file: 'libs/system/tests/migration-pages.test.ts',
    what: 'IRRd as the server that is replaced',
    short: 0,
    long: 1,
  },
  resultPages: {
    file: 'services/gateway/tests/search.test.ts',
    what: 'pages of a large result',
    short: 300,
    long: 1_000,
  },
  counters: {
    file: 'services/objects/tests/counters.test.ts',
    what: 'writes of each of 16 writers while connections are killed',
    short: 50,
    long: 600,
  },
  attributesPerHostileValue: {
    file: 'libs/rpsl/src/syntax/policy/hostile.test.ts',
    what: 'attributes, at most, that check each hostile value',
    short: 4,
    long: 200,
  },
  syntheticObjects: {
    file: 'libs/synthetic/src/generate.test.ts',
    what: 'objects of each synthetic registry',
    short: 2_000,
    long: 20_000,
  },
} as const satisfies Record<string, Count>;

/** Files that only `make test-long` runs, and their content. */
export const longFiles: Readonly<Record<string, string>> = {
  'libs/system/tests/price.test.ts': 'measures what each request costs, in a quiet system',
  'libs/system/tests/nobody-stops-it.test.ts': 'measures how long other clients wait during attacks',
  'libs/system/tests/hostile-client.test.ts': 'measures how long other clients wait beside a heavy one',
  'libs/system/tests/rolling-restart.test.ts': 'restarts two replicas of each service under load',
  'libs/system/tests/failover.test.ts': 'breaks services and databases under load',
  'libs/system/tests/endurance.test.ts': 'faults under a mixed load; only `make endurance` runs it',
  'libs/system/tests/hung-replica.test.ts': 'stops processes under load',
  'libs/system/tests/repeated-writes.test.ts': 'kills services while clients repeat writes',
  'libs/system/tests/killed-mail.test.ts': 'kills services while mails are sent; waits for leases to end',
  'libs/system/tests/two-registries.test.ts': 'kills services of two registries, and changes their keys',
  'libs/system/tests/read-replica.test.ts': 'stops, kills and promotes replicas of PostgreSQL',
  'libs/system/tests/nrtm3.test.ts': 'follows its own source, also after kills',
  'libs/system/tests/long-work.test.ts': 'breaks loads and exports of many megabytes',
  'libs/system/tests/irrd.test.ts': 'follows IRRd, and lets it follow',
  'libs/system/tests/large-objects.test.ts': 'passes 80 MB through every part',
  'libs/system/tests/shared/generated-clients.test.ts': 'generates and compiles clients in Go and Python',
  'libs/system/tests/shared/firefox.test.ts': 'repeats the main flows of the web interface in Firefox',
  'services/mirror/tests/killed-process.test.ts': 'kills publishers at each step, as processes',
  'services/search/tests/killed.test.ts': 'kills a service while it builds its index',
  'services/search/tests/opensearch-security.test.ts': 'tests the permissions in compose.yaml',
};

export type Counts = Record<keyof typeof sizes, number>;

declare module 'vitest' {
  interface ProvidedContext {
    /** The numbers of this run. */
    counts: Counts;
  }
}

/** What runs: the files of a size, or all. */
export const run = process.env.CADASTRE_TEST_SIZE ?? 'short';
if (!['short', 'long', 'all'].includes(run)) throw new Error(`CADASTRE_TEST_SIZE is short, long or all, not ${run}`);

/** The number of the gate, which must end in time on two cores: a fifth of the long one, at least the short one. */
export function gateCount({ short, long }: Pick<Count, Size>): number {
  return Math.max(short, Math.ceil(long / 5));
}

const countOf = (count: Count): number => (run === 'all' ? gateCount(count) : count[run as Size]);
export const counts = Object.fromEntries(
  Object.entries(sizes).map(([name, count]) => [name, countOf(count)]),
) as Counts;

/** The files of a project that this run includes and excludes: globs or paths. */
export function filesOf(include: string[], exclude: string[] = []): { include: string[]; exclude: string[] } {
  const long = Object.keys(longFiles);
  if (run === 'all') return { include, exclude };
  if (run === 'short') return { include, exclude: [...exclude, ...long] };
  const all = [...new Set([...long, ...Object.values(sizes).map(({ file }) => file)])];
  return { include: all.filter((file) => isIn(file, include) && !isIn(file, exclude)), exclude: [] };
}

function isIn(file: string, globs: readonly string[]): boolean {
  return globs.some((glob) => path.matchesGlob(file, glob));
}
