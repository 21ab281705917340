import { registryPlan } from '@cadastre/synthetic';
import { describe, expect, it } from 'vitest';
import type { BareFastify } from './bare-fastify.ts';
import { readBenchSettings } from './bench-settings.ts';
import type { Contest, Figures } from './contests.ts';
import {
  geoContests,
  insertContests,
  lookupContests,
  mixContests,
  oneClientContests,
  rdapContests,
  searchContests,
  whoisContests,
  writeContests,
} from './full-contests.ts';
import type { Results } from './full-run.ts';
import type { LoadThread } from './load-thread.ts';
import { mailContest } from './measure-mail.ts';
import { notificationContest } from './measure-mirrors.ts';
import { reportOf } from './report.ts';
import type { Side } from './sides.ts';
import type { TestedSystem } from './tested-system.ts';

const figures: Figures = {
  requests: 2000,
  perSecond: 12_345.6,
  p50Ms: 123.4,
  p99Ms: 4567.8,
  failures: 0,
  cpuUs: { gateway: 1234, PostgreSQL: 4321, objects: 2345, 'identity-provider-main': 1 },
  generatorUs: 10,
  foreignPercent: 0.5,
};

function measured<Name extends string>({ name, sides, halfLoad }: Contest<Name>) {
  const rounds = Object.keys(sides).map((side) => [side, [figures]]);
  return { name, sides: Object.fromEntries(rounds) as Record<Name, Figures[]>, half: halfLoad ? [figures] : [] };
}

const plan = registryPlan({ objects: 2000, seed: 1, source: 'TEST' });
const server = { http: 'http://localhost:1', https: 'https://localhost:2', roots: [1], certificate: '' };
const requested = { plan, server, thread: {} as LoadThread };
const memory = [{ group: 'PostgreSQL', processes: 18, pssMb: 1000, rssMb: 2000 }];

const results: Results = {
  date: '2026-11-22T12:00:00.000Z',
  revision: { commit: '0123456789', dirty: false },
  machine: { processor: 'Processor', processors: 2, memoryGb: 25, node: 'v24.0.0' },
  settings: readBenchSettings({}),
  limitsShared: true,
  load: { objects: 1000, bytes: 377_000, seconds: 1, cpuUs: { objects: 50 }, foreignPercent: 1, indexSeconds: 2 },
  copy: { rows: 1000, indexedSeconds: 0.9, bareSeconds: 0.1 },
  disk: [
    { name: 'objects.object', kind: 'table', bytes: 1_000_000 },
    { name: 'objects.object_pkey', kind: 'index', bytes: 400_000 },
  ],
  memoryAfterLoad: memory,
  memoryAtEnd: memory,
  lookups: lookupContests(requested, server as unknown as BareFastify, 50).map(measured),
  rdap: rdapContests(requested, 50).map(measured),
  searches: searchContests(requested).map(measured),
  whois: whoisContests(requested, 'localhost:4343').beside.map(measured),
  commands: whoisContests(requested, 'localhost:4343').alone.map(measured),
  mixes: mixContests(requested, { credential: 'key', addresses: { whois: 'localhost:4343' } } as TestedSystem, 50).map(
    measured,
  ),
  geo: geoContests(requested).map(measured),
  writes: writeContests(requested, 'key').map(measured),
  inserts: insertContests({} as never, { pid: 1 } as TestedSystem).map(measured),
  visibility: { writes: 200, p50Ms: 4, p99Ms: 9, resolutionMs: 1 },
  mail: measured(mailContest({ on: {} as Side, off: {} as Side })),
  mirrors: {
    objects: 900,
    publishSeconds: 22.7,
    publishMb: 197,
    importSeconds: 24.6,
    importMb: 222,
    deltaSeconds: 55,
    copySeconds: 85,
    notifications: measured(notificationContest(requested, server)),
  },
  oneClient: oneClientContests(requested).map(measured),
  oneClientSmall: oneClientContests(requested).map(measured),
  restartSeconds: 10,
  seconds: 720,
};

describe('reportOf', () => {
  const report = reportOf(results);

  it('has place, time and environment of the measurements', () => {
    const [introduction] = report.split('\n\n');
    for (const fact of ['2026-11-22', '0123456789', '200,000 objects', '2 x Processor', '3 rounds of 1 s', '12 min']) {
      expect(introduction).toContain(fact);
    }
    expect(introduction).not.toContain('uncommitted');
    expect(reportOf({ ...results, revision: { commit: '0123456789', dirty: true } })).toContain('uncommitted');
  });

  it('has a figure for every aim, and a verdict', () => {
    const aims = report.split('### ')[1]!;
    expect(aims).not.toContain('not measured');
    expect(aims).toContain('| bulk load, of COPY into the indexed table | 0.9 | at least 0.8 | met |');
    expect(aims).toContain('| bytes on disk per object | 1,400 | below 1,300 | **missed** |');
    expect(aims).toContain('until ready (aim for 10 million objects) | 10.0 | below 10.0 | **missed** |');
  });

  it('has lines of at most 120 characters', () => {
    expect(report.split('\n').filter((line) => line.length > 120)).toEqual([]);
  });

  it('lists missing measurements', () => {
    const { oneClientSmall: _, ...others } = results;
    const smaller = reportOf({ ...others, searches: [] });
    expect(smaller).toContain('| largest growth of a p50 from the smaller registry | | below 1.50 | not measured |');
  });

  it('reports failed requests', () => {
    const [first, ...others] = results.geo;
    const failing = { ...first!, sides: { system: [{ ...figures, failures: 7 }] } };
    expect(reportOf({ ...results, geo: [failing, ...others] })).toContain('7 REQUESTS FAILED');
  });
});
