import { Writable } from 'node:stream';
import { createLogger } from '@cadastre/service';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exampleReader, type RunningGateway, startGateway } from './gateway.fixture.js';

let gateway: RunningGateway;
let logged = '';
beforeAll(async () => {
  const destination = new Writable({
    write(chunk, _encoding, done) {
      logged += chunk;
      done();
    },
  });
  const logger = createLogger({ service: 'gateway', level: 'debug', destination });
  gateway = await startGateway({ reader: exampleReader, logger });
});
afterAll(() => gateway.stop());

it('shows paths up to a bound, and no query', async () => {
  await gateway.send(`/TEST/person/${'x'.repeat(7000)}?query=hidden`);
  await gateway.send('/TEST/mntner/EXAMPLE-MNT');
  await expect.poll(() => logged.includes('"/TEST/mntner/EXAMPLE-MNT"')).toBe(true);
  const lines = logged.split('\n').filter((line) => line.includes('"path"'));
  expect(lines.map((line) => JSON.parse(line).path.length)).toEqual([257, 24]);
  expect(logged).not.toContain('hidden');
});
