import { defineConfig } from 'vitest/config';

// Tests run on the TypeScript sources of every workspace package (the "source" export condition), never on dist/.
// Only conditions that hold for import and require alike: Vitest hands them to its workers as `node --conditions`.
const conditions = ['source', 'node'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: [
      '{libs,services,clients}/*/{src,tests}/**/*.test.ts',
      '{cli,web}/{src,tests}/**/*.test.ts',
      'proto/tests/**/*.test.ts',
      'deploy/helm/tests/**/*.test.ts',
    ],
    globalSetup: ['libs/system/tests/postgres-server.ts', 'libs/system/tests/test-logs.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 120_000,
  },
});
