import { join } from 'node:path';
import { type Environment, readSettings, setting, type Values } from '@cadastre/service';
import { maxObjects } from '@cadastre/synthetic';
import { checkout } from './revision.ts';

/** The defaults of the long and of the short form; the long one runs less than 15 minutes on two quiet cores. */
const defaults = {
  long: { objects: 200_000, rounds: 3, seconds: 1 },
  short: { objects: 20_000, rounds: 5, seconds: 1 },
};

const byForm = (name: keyof typeof defaults.long) => `(default ${defaults.long[name]}, quick ${defaults.short[name]})`;

/** The settings of `make bench`. */
export const benchSettings = {
  quick: setting.oneOf(['0', '1'], {
    name: 'BENCH_QUICK',
    doc: '1: compares this working tree with another commit, in less than 3 minutes, and writes no tables.',
    default: '0',
  }),
  base: setting.text({
    name: 'BENCH_BASE',
    doc: 'The other commit of the quick form; HEAD for uncommitted changes alone.',
    default: 'HEAD~1',
  }),
  objects: setting.integer({
    name: 'BENCH_OBJECTS',
    doc: `Number of synthetic objects; the full size is 10000000 ${byForm('objects')}.`,
    optional: true,
    min: 1000,
    max: maxObjects,
  }),
  seed: setting.integer({
    name: 'BENCH_SEED',
    doc: 'Seed of the synthetic registry.',
    default: 1,
    max: 0x7fff_ffff,
  }),
  rounds: setting.integer({
    name: 'BENCH_ROUNDS',
    doc: `Number of repetitions of each repeatable measurement; the result is their median ${byForm('rounds')}.`,
    optional: true,
    min: 1,
    max: 100,
  }),
  seconds: setting.integer({
    name: 'BENCH_SECONDS',
    doc: `Length of one measurement in seconds ${byForm('seconds')}.`,
    optional: true,
    min: 1,
    max: 60,
  }),
  connections: setting.integer({
    name: 'BENCH_CONNECTIONS',
    doc: 'Concurrent keep-alive connections for lookups.',
    default: 50,
    min: 1,
    max: 1000,
  }),
  smallObjects: setting.integer({
    name: 'BENCH_SMALL_OBJECTS',
    doc: 'Number of objects in the smaller registry, with which the growth of latencies is measured.',
    default: 100_000,
    min: 1000,
    max: maxObjects,
  }),
  searchAdapters: setting.list({
    name: 'BENCH_SEARCH_ADAPTERS',
    doc: 'Storage of the index for the searches: embedded, opensearch (needs java, mvn and setpriv) or both.',
    default: ['embedded'],
  }),
  results: setting.text({
    name: 'BENCH_RESULTS',
    doc: 'Directory for the results, one JSON file and one file of tables for each run.',
    default: join(checkout, 'bench-results'),
  }),
};

export type BenchSettings = Values<typeof benchSettings> & typeof defaults.long;

/** Errors: SettingsError. */
export function readBenchSettings(environment: Environment): BenchSettings {
  const given = readSettings(benchSettings, environment);
  const fallback = given.quick === '1' ? defaults.short : defaults.long;
  const { objects = fallback.objects, rounds = fallback.rounds, seconds = fallback.seconds } = given;
  return { ...given, objects, rounds, seconds };
}
