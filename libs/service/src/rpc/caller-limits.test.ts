import { expect, test } from 'vitest';
import { createMetrics } from '../metrics.js';
import { limitCallers } from './caller-limits.js';

function limited(limits: { rate: number; calls: number }) {
  let now = 0;
  const metrics = createMetrics('test');
  const admit = limitCallers(limits, metrics, () => now);
  return {
    metrics,
    admit,
    pass: (ms: number) => {
      now += ms;
    },
  };
}

test('limits calls per second, and admits more after a pause', () => {
  const { admit, pass } = limited({ rate: 2, calls: 100 });
  admit('a');
  admit('a');
  expect(() => admit('a')).toThrow('At most 2 calls per second');
  pass(500);
  admit('a');
  expect(() => admit('a')).toThrow('exhausted');
  pass(60_000);
  admit('a');
  admit('a');
  expect(() => admit('a')).toThrow(expect.objectContaining({ kind: 'exhausted', waitingHelps: true }));
});

test('limits concurrent calls, and admits another when one has ended', async () => {
  const { admit, metrics } = limited({ rate: 100, calls: 2 });
  const [end] = [admit('a'), admit('a')];
  expect(() => admit('a')).toThrow('At most 2 calls at the same time');
  end!();
  admit('a');
  expect(await metrics.metrics()).toMatch(/limited_total\{caller="a",limit="calls",service="test"\} 1/);
});

test('limits each caller separately', () => {
  const { admit } = limited({ rate: 1, calls: 1 });
  admit('a');
  expect(() => admit('b')).not.toThrow();
});
