import { expect, it } from 'vitest';
import type { Figures } from './contests.ts';
import { quickReport } from './quick-report.ts';

const figures = (perSecond: number, gateway: number, failures = 0): Figures => ({
  requests: perSecond,
  perSecond,
  p50Ms: 1,
  p99Ms: 2,
  failures,
  cpuUs: { gateway, objects: 10 },
  generatorUs: 5,
  foreignPercent: 1,
});
const rounds = (...rates: number[]) => rates.map((rate) => figures(rate, 1e6 / rate));

it('compares the rounds of each request, and marks noise', () => {
  const results = [
    {
      name: 'hot',
      sides: { base: rounds(100, 100, 100, 100, 100), head: rounds(200, 210, 205, 195, 200) },
      half: [],
    },
    { name: 'name', sides: { base: rounds(50, 50, 50, 50, 50), head: rounds(51, 49, 50, 52, 50) }, half: [] },
    { name: 'create', sides: { base: [figures(9, 90)], head: [figures(1, 990, 3)] }, half: [] },
  ];
  const about = { base: 'aaa', head: 'bbb', objects: 20_000, rounds: 5, seconds: 1 };
  expect(quickReport(results, about)).toMatchInlineSnapshot(`
    "bbb compared with aaa: 20,000 objects, 5 rounds of 1 s. Other programs used 1.00 % of the processors (at most 1.00 %).
    In brackets: the smallest and the largest ratio of a round.

    | | base/s | head/s | rate ratio | | base µs of CPU | head | CPU ratio | |
    |---|---:|---:|---:|---:|---:|---:|---:|---:|
    | hot | 100 | 200 | 2.00 (1.95 to 2.10) | faster | 10,010 | 5,010 | 0.50 (0.48 to 0.51) | less |
    | name | 50.0 | 50.0 | 1.00 (0.98 to 1.04) | within noise | 20,010 | 20,010 | 1.00 (0.96 to 1.02) | within noise |
    | create | 9.00 | 1.00 | 0.11 (0.11 to 0.11) | within noise | 100 | 1,000 | 10.00 (10.00 to 10.00) | within noise |

    REQUESTS FAILED: create: 0 of base, 3 of head."
  `);
});
