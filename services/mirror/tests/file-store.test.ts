import { mkdtemp, readdir, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { readSettings } from '@cadastre/service';
import S3rver from 's3rver';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chooseStore, readS3Url, storeSettings } from '../src/files/choose-store.js';
import type { FileStore, StoredFile } from '../src/files/file-store.js';

const headers = { contentType: 'application/gzip', cacheControl: 'public, max-age=60' };

let directory: string;
let server: S3rver;
let bucketUrl: string;

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'cadastre-store-'));
  const options = { port: 0, address: '127.0.0.1', silent: true, configureBuckets: [{ name: 'mirror', configs: [] }] };
  server = new S3rver({ ...options, directory: path.join(directory, 's3') });
  const { port } = await (server.run() as unknown as Promise<AddressInfo>);
  bucketUrl = `http://S3RVER:S3RVE%52@127.0.0.1:${port}/mirror`;
});

afterAll(async () => {
  await server.close();
  await rm(directory, { recursive: true });
});

const kinds: Record<string, () => FileStore> = {
  directory: () => storeOf({ CADASTRE_PUBLICATIONS_DIR: path.join(directory, 'files') }),
  bucket: () => storeOf({ CADASTRE_MIRROR_S3_URL: bucketUrl }),
};

function storeOf(environment: Record<string, string>): FileStore {
  return chooseStore(readSettings(storeSettings, environment));
}

test.each([
  'mirror',
  'ftp://s3.example.net/mirror',
  'https://s3.example.net',
  'https://s3.example.net/a/b',
  'https://topsecret@s3.example.net/mirror',
  'https://key:topsecret%zz@s3.example.net/mirror',
])('the URL %s names no bucket, and is not shown', (url) => {
  expect(() => storeOf({ CADASTRE_MIRROR_S3_URL: url })).toThrow(
    /^CADASTRE_MIRROR_S3_URL: must have the form (?!.*topsecret)/,
  );
});

test('a URL has region and keys, or leaves both to the defaults', () => {
  const endpoint = 'https://s3.example.net:9000';
  expect(readS3Url('https://key:a%2Fb@s3.example.net:9000/mirror?region=eu-west-1')).toEqual({
    ...{ endpoint, bucket: 'mirror', region: 'eu-west-1' },
    credentials: { accessKeyId: 'key', secretAccessKey: 'a/b' },
  });
  expect(readS3Url('https://s3.example.net:9000/mirror')).toEqual({
    ...{ endpoint, bucket: 'mirror', region: 'us-east-1', credentials: undefined },
  });
});

async function filesOf(store: FileStore, folder: string): Promise<StoredFile[]> {
  const found: StoredFile[] = [];
  for await (const file of store.list(folder)) found.push(file);
  return found;
}

async function names(store: FileStore, folder: string): Promise<string[]> {
  return (await filesOf(store, folder)).map(({ name }) => name).sort();
}

/** A stream of this number of bytes; an error ends it if there is one. */
function streamOf(bytes: number, error?: Error): Readable {
  const chunk = Buffer.alloc(1 << 20, 7);
  return Readable.from(
    (function* () {
      for (let left = bytes; left > 0; left -= chunk.length) yield chunk.subarray(0, left);
      if (error) throw error;
    })(),
  );
}

describe.each(Object.entries(kinds))('a store in a %s', (kind, open) => {
  test('stores, replaces, lists and removes files', async () => {
    const store = open();
    expect(await store.put('a/X/one', Buffer.from('first'), headers)).toEqual({ bytes: 5 });
    await store.put('a/X/one', Buffer.from('second'), headers);
    await store.put('a/Y/two', Buffer.from('other'), headers);
    expect(await store.get('a/X/one', 6)).toEqual(Buffer.from('second'));
    expect(await store.get('a/X/one', 5)).toBeUndefined();
    expect(await store.get('a/X/none', 5)).toBeUndefined();
    const [found] = await filesOf(store, 'a/X/');
    expect(found).toMatchObject({ name: 'a/X/one', bytes: 6 });
    expect(Math.abs(found!.stored.getTime() - Date.now())).toBeLessThan(60_000);
    await store.remove('a/X/one');
    await store.remove('a/X/one');
    expect(await names(store, 'a/')).toEqual(['a/Y/two']);
    expect(await names(store, 'b/')).toEqual([]);
    store.close();
  });

  test('stores streams of unknown length', async () => {
    const store = open();
    const size = (20 << 20) + 5;
    expect(await store.put('large/file', streamOf(size), headers)).toEqual({ bytes: size });
    expect(await store.get('large/file', size)).toHaveLength(size);
    store.close();
  });

  test('shows nothing of a put that fails or is aborted', async () => {
    const store = open();
    const broken = store.put('partial/file', streamOf(10 << 20, new Error('broken')), headers);
    await expect(broken).rejects.toThrow('broken');
    const aborting = new AbortController();
    const content = Readable.from(
      (async function* () {
        yield Buffer.alloc(9 << 20);
        aborting.abort(new Error('stopped'));
        await new Promise((resolve) => setImmediate(resolve));
        yield Buffer.alloc(9 << 20);
      })(),
    );
    await expect(store.put('partial/other', content, { ...headers, signal: aborting.signal })).rejects.toThrow();
    expect(await names(store, 'partial/')).toEqual([]);
    if (kind === 'directory') expect(await readdir(path.join(directory, 'files/partial'))).toEqual([]);
    store.close();
  });
});

test('a bucket keeps the headers, and serves the file with them', async () => {
  const store = kinds.bucket!();
  await store.put('headers/one', Buffer.from('first'), headers);
  await store.put('headers/two', streamOf(9 << 20), headers);
  const { GetObjectCommand, S3Client } = await import('@aws-sdk/client-s3');
  const client = new S3Client({
    region: 'us-east-1',
    endpoint: new URL(bucketUrl).origin,
    credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
    forcePathStyle: true,
  });
  for (const Key of ['headers/one', 'headers/two']) {
    const { ContentType, CacheControl, Body } = await client.send(new GetObjectCommand({ Bucket: 'mirror', Key }));
    expect([ContentType, CacheControl]).toEqual([headers.contentType, headers.cacheControl]);
    await Body!.transformToByteArray();
  }
  client.destroy();
  store.close();
});

test('a directory refuses names that lead out of it', async () => {
  const store = kinds.directory!();
  for (const name of ['../out', 'a/../../out', '/etc/out', 'a//b', '']) {
    await expect(store.put(name, Buffer.from('x'), headers)).rejects.toThrow('no name of a file');
  }
});
