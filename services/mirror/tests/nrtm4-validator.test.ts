import { execFile } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { isSkipped } from '@cadastre/service/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keysOf, mntner, newKey, route, type Trial, useTrials } from './publishing.fixture.js';

// nrtm4-validator (crates.io) judges what we publish.
const validator = process.env.CADASTRE_TEST_NRTM4_VALIDATOR ?? '';
const missing = validator === '' ? ['CADASTRE_TEST_NRTM4_VALIDATOR, the path of nrtm4-validator'] : [];
const hourMs = 60 * 60_000;
const newTrial = useTrials();
let server: Server;
let folder = '';

beforeAll(async () => {
  server = createServer(async ({ url = '' }, response) => {
    const { folderStore } = await import('../src/files/folder.js');
    const content = await folderStore(folder).get(url.slice(1), 1 << 24);
    response.writeHead(content === undefined ? 404 : 200).end(content);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterAll(() => {
  server.close();
});

/** Exit code and output of the validator for a public key. */
async function judge({ registry }: Trial, publicKey: string) {
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/nrtmv4/${registry.source}/update-notification-file.jose`;
  try {
    const { stdout } = await promisify(execFile)(validator, [url, registry.source, publicKey]);
    return { code: 0, output: stdout };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, output: stdout + stderr };
  }
}

const valid = { code: 0, output: expect.stringContaining('NRTMv4 syntax is valid') };

test.skipIf(isSkipped('nrtm4-validator', missing, { isOptional: true }))(
  'nrtm4-validator accepts a life of a publication (M1)',
  async () => {
    const trial = await newTrial();
    const { registry, clock } = trial;
    const { source } = registry;
    folder = trial.folder;
    const { privateKey, publicKey } = trial.keys();
    await trial.round();
    expect(await judge(trial, publicKey), 'start').toEqual(valid);
    registry.put(mntner(source));
    await trial.round();
    expect(await judge(trial, publicKey), 'one change').toEqual(valid);
    for (const delta of [0, 1, 2, 3, 4]) {
      for (const n of Array(20).keys()) registry.put(route(source, 20 * delta + n));
      registry.remove('route', `198.51.${20 * delta}.0/24AS64500`);
      await trial.round();
    }
    expect(await judge(trial, publicKey), 'five deltas').toEqual(valid);
    clock.advance(24 * hourMs);
    expect(await trial.snapshot()).toBe(true);
    expect(await judge(trial, publicKey), 'a snapshot').toEqual(valid);
    const next = newKey();
    trial.use(keysOf(privateKey, next));
    await trial.round();
    expect(await judge(trial, publicKey), 'a key that is announced').toEqual(valid);
    trial.use(keysOf(next));
    await trial.round();
    expect(await judge(trial, keysOf(next).publicKey), 'another key').toEqual(valid);
    expect((await judge(trial, publicKey)).code, 'the former key').toBe(1);
  },
);
