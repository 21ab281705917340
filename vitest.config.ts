import { defineConfig } from 'vitest/config';

// Tests run on the TypeScript sources of every workspace package (the "source" export condition), never on dist/.
const conditions = ['source', 'node', 'import', 'default'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: ['{libs,services}/*/{src,tests}/**/*.test.ts', 'cli/{src,tests}/**/*.test.ts', 'proto/tests/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 120_000,
  },
});
