import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import S3rver from 's3rver';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { s3Store } from '../src/files/s3.js';
import { mntner, route, useTrials } from './publishing.fixture.js';

// A bucket instead of a directory: published, missing, and abandoned files.
const hourMs = 60 * 60_000;
const newTrial = useTrials();
const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
let directory: string;
let server: S3rver;
let endpoint: string;

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'cadastre-bucket-'));
  const options = { port: 0, address: '127.0.0.1', silent: true, configureBuckets: [{ name: 'mirror', configs: [] }] };
  server = new S3rver({ ...options, directory });
  const { port } = await (server.run() as unknown as Promise<AddressInfo>);
  endpoint = `http://127.0.0.1:${port}`;
});

afterAll(async () => {
  await server.close();
  await rm(directory, { recursive: true });
});

test('a bucket is published into, cleaned, and begins a new session when a file is missing', async () => {
  const store = s3Store({ bucket: 'mirror', endpoint, region: 'us-east-1', credentials });
  const trial = await newTrial({ store });
  const { registry, clock, follower, lease } = trial;
  const folder = `nrtmv4/${registry.source}/`;
  const names = async () => {
    const found: string[] = [];
    for await (const { name } of store.list(folder)) found.push(name.slice(folder.length));
    return found.sort();
  };
  registry.put(mntner(registry.source));
  await trial.round();
  expect((await follower.update()).did).toBe('snapshot');
  registry.put(route(registry.source, 1));
  await trial.round();
  expect((await follower.update()).did).toBe('deltas');
  // A file whose publisher died before the database knew it.
  const [delta] = (await names()).filter((name) => name.startsWith('nrtm-delta.2.'));
  const leftover = delta!.replace(/[\da-f]{16}\.json/, `${'0'.repeat(16)}.json`);
  await store.put(folder + leftover, Buffer.from('x'), { contentType: 'application/gzip', cacheControl: 'no-cache' });
  clock.advance(2 * hourMs);
  await trial.round();
  expect(await names()).not.toContain(leftover);
  const { did, notification } = await follower.update();
  expect(did).toBe('nothing');
  await store.remove(folder + delta!);
  await trial.publisher().round(lease);
  const after = await follower.update();
  expect(after.did).toBe('snapshot');
  expect(after.notification.sessionId).not.toBe(notification.sessionId);
  expect(follower.objects()).toHaveLength(2);
  store.close();
});
