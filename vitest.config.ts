import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { directoryInMemory } from './test-directory.ts';
import { counts, filesOf, run } from './test-sizes.ts';

// An existing TMPDIR is used: that of the caller, or of an earlier evaluation of this file by Vitest.
const directory = process.env.TMPDIR === undefined ? directoryInMemory() : undefined;
if (directory !== undefined) process.env.TMPDIR = directory;

// Tests run on the TypeScript sources of every workspace package (the "source" export condition), never on dist/. Only
// conditions that apply to import and require alike: Vitest passes them to its workers as `node --conditions`.
const conditions = ['source', 'node'];

const logs = 'libs/system/tests/test-logs.ts';
const postgres = 'libs/system/tests/postgres-server.ts';
const preparedData = 'libs/system/tests/prepared-data.ts';
const sharedSystem = 'libs/system/tests/shared-system.ts';

/** The longest test files, in start order: each starts before all others of its group. */
const longest = [
  'libs/system/tests/hostile-client', // Measures latencies, so the next file must mostly wait.
  'libs/system/tests/web',
  'libs/system/tests/nobody-stops-it', // Measures latencies, too; the next two mostly wait.
  'libs/system/tests/read-replica',
  'libs/system/tests/nrtm3',
  'libs/system/tests/price',
  'libs/system/tests/long-work',
  'libs/system/tests/fuzz',
  'libs/system/tests/two-registries',
  'libs/system/tests/rolling-restart',
  'libs/system/tests/irrd',
  'libs/system/tests/backends-fail',
  'libs/system/tests/large-objects',
  'libs/system/tests/shared/generated-clients',
  'libs/system/tests/shared/layout',
  'libs/system/tests/shared/editor',
  'libs/system/tests/persistence',
  'libs/system/tests/killed-mail',
  'libs/system/tests/shared/edit-many',
  'libs/system/tests/shared/object-tables',
  'libs/system/tests/shared/clients-page',
  'libs/system/tests/one-process',
  'libs/system/tests/dashboard',
  'libs/system/tests/webhooks',
  'libs/system/tests/rdap',
  'libs/system/tests/operating',
  'libs/system/tests/crash',
  'services/search/tests/opensearch',
  'services/search/tests/opensearch-security',
  'services/search/tests/page-places',
  'services/gateway/tests/changes',
  'services/whois/tests/client-cost',
  'services/gateway/tests/held-replies',
  'services/whois/tests/index-process',
  'services/search/tests/embedded-index',
  'services/objects/tests/resume-load',
  'services/objects/tests/load',
  'services/objects/tests/fill-table',
  'cli/tests/breaks',
  'services/search/tests/opensearch-hung-nodes',
  'services/events/tests/webhooks',
  'services/mirror/tests/killed-process',
  'services/objects/tests/restore',
  'deploy/helm/tests/values',
  'services/auth/tests/inactive-accounts',
  'services/gateway/tests/connections',
  'services/gateway/tests/http2-resets',
  'services/gateway/tests/overload',
  'services/objects/tests/feed',
  'libs/synthetic/src/generate',
  'libs/rpsl/src/syntax/policy/hostile',
].map((name) => `/${name}.test.ts`);

/** Starts the longest files first, so that the workers finish together, also in a fresh clone. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const first = longest.flatMap((name) => sorted.filter(({ moduleId }) => moduleId.endsWith(name)));
    return [...new Set([...first, ...sorted])];
  }
}

// How many files keep two cores busy: those that start whole systems wait less than others. Files of the long size also
// measure how long others wait.
const [systems, others] = run === 'short' ? [3, 4] : [2, 3];
const first = { groupOrder: 0 };
const afterwards = { groupOrder: 1 };

// `make test-times` measures each file.
const times = process.env.CADASTRE_TEST_TIMES !== undefined;

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    pool: 'forks',
    // A worker loads shared modules only once, which saves a third of the CPU of short files.
    isolate: false,
    setupFiles: times ? ['./scripts/test-times/measure-file.ts'] : [],
    reporters: ['default', './scripts/failed-tests.ts', ...(times ? ['./scripts/test-times/reporter.ts'] : [])],
    sequence: { sequencer: LongestFirst },
    // A busy machine needs longer for what an idle one does immediately.
    testTimeout: 180_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 90_000 } },
    provide: { counts },
    projects: [
      // Unit tests, beside their modules: they start nothing.
      {
        extends: true,
        test: {
          name: 'unit',
          ...filesOf(['{libs,services,clients}/*/src/**/*.test.ts', '{cli,web,bench}/src/**/*.test.ts']),
          globalSetup: [logs],
          maxWorkers: others,
          sequence: afterwards,
        },
      },
      // Service tests, in tests/: they start databases, services, or servers.
      {
        extends: true,
        test: {
          name: 'service',
          ...filesOf(
            [
              '{libs,services,clients}/*/tests/**/*.test.ts',
              '{cli,web}/tests/**/*.test.ts',
              'deploy/helm/tests/**/*.test.ts',
              'scripts/**/*.test.ts',
            ],
            ['libs/system/**'],
          ),
          globalSetup: [postgres, logs],
          maxWorkers: others,
          sequence: afterwards,
        },
      },
      // System tests: they start complete systems and browsers.
      {
        extends: true,
        test: {
          name: 'system',
          ...filesOf(['libs/system/tests/*.test.ts']),
          globalSetup: [postgres, preparedData, logs],
          maxWorkers: systems,
          sequence: first,
        },
      },
      // System tests that share one running system, and do not change its settings or the objects of other tests.
      {
        extends: true,
        test: {
          name: 'shared-system',
          ...filesOf(['libs/system/tests/shared/*.test.ts']),
          globalSetup: [logs, sharedSystem],
          maxWorkers: systems,
          sequence: first,
        },
      },
    ],
  },
});
