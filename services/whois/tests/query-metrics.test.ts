import { createMetrics } from '@cadastre/service';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRegistry } from './registry.fixture.js';
import { type RunningWhois, startWhois } from './whois.fixture.js';

const metrics = createMetrics('whois');
let whois: RunningWhois;

beforeAll(async () => {
  const registry = createRegistry();
  registry.put('route: 192.0.2.0/24\norigin: AS64500\nmnt-by: EXAMPLE-MNT\nsource: TEST');
  whois = await startWhois(registry, { CADASTRE_WHOIS_NRTM_CLIENTS: '127.0.0.0/29' }, { metrics });
});
afterAll(() => whois?.stop());

async function counts(): Promise<Record<string, number>> {
  const { values } = await metrics.getSingleMetric('cadastre_whois_query_seconds')!.get();
  const counted = values.filter(
    (one) => 'metricName' in one && one.metricName === 'cadastre_whois_query_seconds_count',
  );
  return { irrd: 0, nrtm: 0, ripe: 0, ...Object.fromEntries(counted.map((one) => [one.labels.dialect, one.value])) };
}

test.each<[line: string, dialect: string, answers: number]>([
  ['-q version', 'ripe', 1],
  ['-q sources', 'ripe', 1],
  ['-x', 'ripe', 1],
  ['!gAS64500', 'irrd', 1],
  ['-V agent !iAS-NONE', 'irrd', 1],
  ['!x', 'irrd', 1],
  ['!!\n!gAS64500\n!q', 'irrd', 3],
  ['-g TEST:3:1-LAST', 'nrtm', 1],
  ['-g NOWHERE:3:1-LAST', 'nrtm', 1],
])('"%s" counts for %s', async (lines, dialect, answers) => {
  const before = await counts();
  await whois.ask(`${lines}\n`);
  const expected = { ...before, [dialect]: before[dialect]! + answers };
  await expect.poll(counts).toEqual(expected);
});

test('an endless answer counts when it begins', async () => {
  const before = await counts();
  const { socket, send, received } = whois.open('127.0.0.2');
  send('-k -g TEST:3:1-LAST\n');
  await expect.poll(received).toContain('ADD 1\n');
  expect((await counts()).nrtm).toBe(before.nrtm! + 1);
  socket.destroy();
});
