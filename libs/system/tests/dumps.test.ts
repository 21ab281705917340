import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { MirrorWriteServiceService } from '@cadastre/proto/objects';
import { objectTypeNames, splitDump } from '@cadastre/rpsl';
import { inMemoryClient, testLogger } from '@cadastre/service/testing';
import { generateRegistry } from '@cadastre/synthetic';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeDump } from '../../../services/mirror/src/dumps/write-dump.js';
import { folderStore } from '../../../services/mirror/src/files/folder.js';
import { dumpOrigin } from '../../../services/mirror/src/follow/dump/origin.js';
import { mirrorWriter } from '../../../services/mirror/src/follow/mirror-writer.js';
import { wholeSource } from '../../../services/mirror/src/public-source.js';
import { publicText } from '../../../services/mirror/src/publish/public-export.js';
import { operations } from '../../../services/objects/src/store/codes.js';
import {
  allChanges,
  loaderOf,
  loadText,
  lookup,
  person,
  put,
  readerOf,
  remove,
  useContext,
} from '../../../services/objects/tests/test-context.js';
import { randomOf } from './fuzz/random.js';

// A registry of all types writes dumps, by the real services, and an empty one reads them.
const origin = useContext();
const reader = useContext();

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cadastre-dumps-'));
  const texts = [...generateRegistry({ objects: 1_000, seed: 21, source: 'TEST' })];
  const { rejected, summary } = await loadText(origin.context, texts.join('\n'));
  expect([rejected, summary!.created]).toEqual([[], 1_000n]);
});
afterAll(() => rm(folder, { recursive: true }));

const signal = new AbortController().signal;
const write = () =>
  writeDump({
    source: wholeSource('TEST'),
    objects: { reader: readerOf(origin.context) },
    store: folderStore(folder),
    termsUrl: 'https://www.example.net/terms',
    now: () => new Date(),
    signal,
  });
const fileOf = (name: string) => join(folder, 'dumps/test', name);

async function objectsIn(name: string): Promise<string[]> {
  const bytes = gunzipSync(await readFile(fileOf(name)));
  const texts: string[] = [];
  const text = bytes.toString(name.includes('utf8') ? 'utf8' : 'latin1');
  for await (const object of splitDump(Readable.from([text]))) texts.push(object.text);
  return texts;
}

/** What followers have of the source after the change with a serial, according to the feed. */
async function replayed(serial: bigint): Promise<string[]> {
  const { context } = origin;
  const changes = await allChanges(context, context.sources.main.id, { after: 0n, upTo: serial });
  const texts = new Map<string, string>();
  for (const { operation, stored } of changes) {
    const name = `${stored.type} ${stored.key}`;
    if (operation === operations.delete) texts.delete(name);
    else texts.set(name, stored.text);
  }
  return [...texts.values()].flatMap((text) => publicText(text, wholeSource('TEST')) ?? []);
}

/** A role that followers get. */
const roleText = (name: string, title: string) =>
  person(name)
    .replace('person:         Some Body', `role:           ${title}`)
    .replace('source:', 'abuse-mailbox:  abuse@example.net\nsource:');

/** Without the placeholder of all persons, which no change made. */
const isPlaceholder = (text: string) => /^nic-hdl: +DUMY/m.test(text);

test('a dump and its serial are of one moment, whatever is written meanwhile', async () => {
  const { context } = origin;
  const random = randomOf(21, 0);
  let writing = true;
  const writers = [0, 1, 2].map(async (writer) => {
    for (let round = 0; writing; round++) {
      const name = `DW${writer * 10 + 1 + random(10)}-TEST`;
      const exists = await lookup(context, 'role', name);
      if (exists && random(3) === 0) await remove(context, 'role', name.toLowerCase());
      else await put(context, roleText(name, `Round ${round}`));
    }
  });
  const serials = new Set<bigint>();
  try {
    for (let dumps = 0; dumps < 3; dumps++) {
      const { serial } = await write();
      serials.add(serial);
      expect((await readFile(fileOf('TEST.CURRENTSERIAL'))).toString()).toBe(`${serial}\n`);
      const dumped = (await objectsIn('test.db.gz')).filter((text) => !isPlaceholder(text));
      expect(dumped.sort()).toEqual((await replayed(serial)).sort());
    }
  } finally {
    writing = false;
    await Promise.all(writers);
  }
  expect(serials.size).toBe(3);
});

test('files of all types fill an empty registry, and nothing is rejected', async () => {
  await write();
  const sums = (await readFile(fileOf('SHA256SUMS'))).toString();
  for (const type of objectTypeNames) {
    const name = `split/test.db.${type}.gz`;
    const bytes = await readFile(fileOf(name));
    expect(sums).toContain(`${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`);
    const { rejected, summary } = await loadText(reader.context, gunzipSync(bytes).toString('latin1'));
    const objects = await objectsIn(name);
    expect([rejected, Number(summary!.created)]).toEqual([[], objects.length]);
    expect(objects.length).toBeGreaterThan(0);
  }
  const stored: string[] = [];
  for await (const page of readerOf(reader.context).exportObjects({ source: 'TEST', types: [], view: 3, asOf: {} })) {
    stored.push(...page.objects.map(({ text }) => text));
  }
  expect(stored.sort()).toEqual((await objectsIn('test.db.utf8.gz')).sort());
});

test('a copy in another registry follows the dumps', async () => {
  const source = 'EXAMPLE-GRS';
  const objects = { loader: loaderOf(reader.context), mirrorWriter: inMemoryClient(MirrorWriteServiceService, {}) };
  const followed = dumpOrigin({
    urls: [pathToFileURL(fileOf('test.db.utf8.gz'))],
    serialUrl: pathToFileURL(fileOf('TEST.CURRENTSERIAL')),
    source: 'TEST',
    everyMs: 86_400_000,
    encoding: 'utf8',
    reach: { ownNetwork: false },
  });
  let state: object | undefined;
  const update = () =>
    followed.update(state, {
      source,
      writer: mirrorWriter({ source, objects, unguarded: false, logger: testLogger() }),
      faults: 0,
      storedFiles: async () => ({}),
      save: async (progress) => {
        state = progress.state;
      },
      signal,
      logger: testLogger(),
      now: () => new Date(),
    });
  const copied = async () => {
    const texts: string[] = [];
    for await (const page of readerOf(reader.context).exportObjects({ source, types: [], view: 3, asOf: {} })) {
      texts.push(...page.objects.map(({ text }) => text));
    }
    return texts.sort();
  };
  const dumped = async () =>
    (await objectsIn('test.db.gz')).map((text) => text.replace(/^(source: +)TEST$/m, `$1${source}`)).sort();
  await write();
  await update();
  expect(await copied()).toEqual(await dumped());
  await put(origin.context, roleText('DX1-TEST', 'New'));
  await write();
  await update();
  expect(await copied()).toEqual(await dumped());
  expect((await copied()).join()).toContain('role:           New');
});
