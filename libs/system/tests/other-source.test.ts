import { afterAll, beforeAll, expect, test } from 'vitest';
import { cadastre } from './harness/cadastre.js';
import { type Rest, restClient } from './harness/rest.js';
import { freshDirectory, inOneProcess, type RunningSystem, runSystem, startSupervisor } from './harness/run-system.js';
import { objectOf, values, type WhoisClient, whoisClient } from './harness/whois.js';

// `make run` for clients that know one source, which is not TEST.
let data: Awaited<ReturnType<typeof freshDirectory>>;
let system: RunningSystem;
let rest: Rest & { close(): void };
let whois: WhoisClient;

beforeAll(async () => {
  data = await freshDirectory();
  system = await runSystem(data.directory, { ...inOneProcess, CADASTRE_SOURCE: 'Example' });
  rest = restClient(system);
  whois = whoisClient(rest, system.credential, 'EXAMPLE');
});

afterAll(async () => {
  rest?.close();
  await system?.stop();
  await data.remove();
});

test('the sample objects are in the source that CADASTRE_SOURCE names, and no other source exists', async () => {
  expect(system.output()).toContain('sample objects into source EXAMPLE\n');
  expect(values(objectOf(await rest('/EXAMPLE/mntner/EXAMPLE-MNT.json')), 'source')).toEqual(['EXAMPLE']);
  expect((await rest('/TEST/mntner/EXAMPLE-MNT.json')).status).toBe(400);
  expect((await rest('/search.json?query-string=192.0.2.1&source=EXAMPLE')).status).toBe(200);
  expect((await cadastre(system, ['status'])).stdout).toMatch(/\nEXAMPLE +main /);
});

test('the API key may write to it, and AUTO handles have its name', async () => {
  const person = `person:         Paula Persistent
address:        Example Street 9
phone:          +31 20 555 0109
e-mail:         person@example.net
nic-hdl:        AUTO-1
mnt-by:         EXAMPLE-MNT
source:         EXAMPLE
`;
  const created = await whois.create('person', person);
  expect(created.status).toBe(200);
  expect(values(objectOf(created), 'nic-hdl')).toEqual(['PP1-EXAMPLE']);
});

test('production is refused in one clear line', async () => {
  const other = await freshDirectory();
  const started = startSupervisor(other.directory, { CADASTRE_ENVIRONMENT: 'production' });
  const expected = /^CADASTRE_ENVIRONMENT: make run starts a trial, .*\n$/;
  expect([await started.exited, started.output()]).toEqual([1, expect.stringMatching(expected)]);
  await other.remove();
});
