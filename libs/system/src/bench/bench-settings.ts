import { join } from 'node:path';
import { setting, type Values } from '@cadastre/service';
import { checkout } from '../run-settings.js';

/** The settings of `make bench`. */
export const benchSettings = {
  objects: setting.integer({
    name: 'BENCH_OBJECTS',
    doc: 'Number of synthetic objects to load; the full size is 1000000.',
    default: 200_000,
    min: 10_000,
    max: 5_000_000,
  }),
  seed: setting.integer({
    name: 'BENCH_SEED',
    doc: 'Seed of the synthetic registry.',
    default: 1,
    max: 0x7fff_ffff,
  }),
  rounds: setting.integer({
    name: 'BENCH_ROUNDS',
    doc: 'Number of repetitions of each repeatable measurement; the result is their median.',
    default: 3,
    min: 1,
    max: 100,
  }),
  seconds: setting.integer({
    name: 'BENCH_SECONDS',
    doc: 'Length of one measurement of lookups or writes, in seconds.',
    default: 3,
    min: 1,
    max: 600,
  }),
  connections: setting.integer({
    name: 'BENCH_CONNECTIONS',
    doc: 'Concurrent keep-alive connections for lookups.',
    default: 50,
    min: 1,
    max: 1000,
  }),
  searchAdapters: setting.list({
    name: 'BENCH_SEARCH_ADAPTERS',
    doc: 'Storage of the index for the queries: postgres, opensearch (needs java, mvn and setpriv) or both.',
    default: ['postgres'],
  }),
  results: setting.text({
    name: 'BENCH_RESULTS',
    doc: 'Directory for the results, one JSON file for each run.',
    default: join(checkout, 'bench-results'),
  }),
};

/** The settings of a benchmark. */
export type BenchSettings = Values<typeof benchSettings>;
