import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import http2, { type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LookupStatus } from '@cadastre/proto/objects';
import { Operation } from '@cadastre/proto/registry';
import type { SearchResponse } from '@cadastre/proto/search';
import type { DescribeSetResponse } from '@cadastre/proto/whois';
import { type AnswerMemory, createAnswerMemory, ServiceError } from '@cadastre/service';
import { afterEach, describe, expect, it } from 'vitest';
import { type Backends, exampleReader, mntner, type RunningGateway, startGateway } from './gateway.fixture.js';

const mebibyte = 1024 * 1024;
const large = mntner.text.replace('source:', `${`remarks:        ${'a'.repeat(80)}\n`.repeat(11_000)}source:`);
const versions = 110;

/** The memory in use now. */
interface Counted extends AnswerMemory {
  used(): number;
}

/** A memory of 12 MiB, with 6 MiB for a client, on a clock that a test sets. */
function smallMemory() {
  let now = 0;
  let used = 0;
  const memory = createAnswerMemory({ maxBytes: 12 * mebibyte, maxBytesPerClient: 6 * mebibyte, now: () => now });
  const counted: Counted = {
    used: () => used,
    take(client, bytes) {
      const share = memory.take(client, bytes);
      used += bytes;
      let isHeld = true;
      const release = () => {
        if (isHeld) used -= bytes;
        isHeld = false;
        share.release();
      };
      const readUntil: typeof share.readUntil = (close) =>
        share.readUntil(() => {
          release();
          close();
        });
      return { release, readUntil };
    },
  };
  const pass = (ms: number) => {
    now += ms;
  };
  return { answerMemory: counted, pass };
}

const backends: Backends = {
  reader: {
    ...exampleReader,
    batchLookup: async ({ lookups }) => ({
      answers: lookups.map(() => ({ status: LookupStatus.LOOKUP_STATUS_FOUND, object: { ...mntner, text: large } })),
    }),
    getVersion: async () => ({ object: { ...mntner, text: large }, current: true }),
    listVersions: async ({ key }) => {
      if (key?.type !== 'mntner') throw new ServiceError('not-found', 'never existed');
      const all = Array.from({ length: versions }, (_, at) => ({
        ...{ revision: at + 1, instant: new Date(at * 1000), serial: BigInt(at + 1), reason: '' },
        operation: Operation.OPERATION_UPDATE,
      }));
      return { versions: all };
    },
    batchLookupPast: async ({ lookups }) => ({
      answers: lookups.map((_, at) =>
        at < 2
          ? { status: LookupStatus.LOOKUP_STATUS_FOUND, serial: 1n, object: { ...mntner, text: large } }
          : { status: LookupStatus.LOOKUP_STATUS_ASK_AGAIN, serial: 1n },
      ),
    }),
  },
};

let gateway: RunningGateway | undefined;
const sessions: ClientHttp2Session[] = [];
afterEach(async () => {
  for (const session of sessions.splice(0)) session.destroy();
  await gateway?.stop();
  gateway = undefined;
});

async function start(more: Backends, env: Record<string, string> = {}) {
  gateway = await startGateway({ ...backends, ...more }, { CADASTRE_TRUSTED_PROXIES: '127.0.0.1', ...env });
  return gateway;
}

/** A client that reads at most 64 KiB of a reply, which HTTP/2 sends by default. */
function clientAt(address: string) {
  const session = http2.connect(`https://localhost:${gateway!.gateway.ports().https}`, {
    host: '127.0.0.1',
    rejectUnauthorized: false,
  });
  sessions.push(session);
  return async (path: string) => {
    const stream = session.request({ ':path': path, 'x-forwarded-for': address });
    stream.on('error', () => {});
    const headers = await new Promise<http2.IncomingHttpHeaders>((resolve) => stream.on('response', resolve));
    return { stream, status: Number(headers[':status']), headers };
  };
}

async function textOf(stream: ClientHttp2Stream): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const noSets: DescribeSetResponse = {
  ...{ sets: [], missing: [], asNumbers: [], prefixCounts: [], ipv4Prefixes: [], ipv6Prefixes: [], routers: [] },
  ...{ isPartial: false, serial: 0n },
};
const history = '/rdap/history/entity/EXAMPLE-MNT';

describe('ten unread histories', () => {
  it('use only the share of their client, which gets an error, and end when it does not read', async () => {
    const { answerMemory, pass } = smallMemory();
    await start({ answerMemory });
    const greedy = clientAt('192.0.2.1');
    const held: ClientHttp2Stream[] = [];
    for (let count = 0; count < 10; count++) {
      const { status, headers, stream } = await greedy(history);
      if (status === 200) held.push(stream);
      else {
        expect([status, headers['content-type']]).toEqual([503, 'application/rdap+json']);
        expect(headers['retry-after']).toBeDefined();
        expect(JSON.parse(await textOf(stream))).toMatchObject({ errorCode: 503 });
      }
    }
    expect(held.length).toBeGreaterThanOrEqual(2);
    expect(held.length).toBeLessThan(7);
    expect(answerMemory.used()).toBeLessThanOrEqual(6 * mebibyte);

    const other = await clientAt('192.0.2.2')(history);
    expect(other.status).toBe(200);
    expect(JSON.parse(await textOf(other.stream)).records).toHaveLength(1);

    pass(11_000);
    expect((await greedy(history)).status).toBe(200);
    await expect.poll(() => held.filter(({ closed }) => closed).length).toBeGreaterThan(0);
    expect(answerMemory.used()).toBeLessThanOrEqual(6 * mebibyte);
  });

  it('leave nothing behind when their client leaves', async () => {
    const { answerMemory } = smallMemory();
    await start({ answerMemory });
    const greedy = clientAt('192.0.2.1');
    for (let count = 0; count < 10; count++) await greedy(history);
    for (const session of sessions.splice(0)) session.destroy();
    await expect.poll(() => answerMemory.used()).toBe(0);
  });

  it('of 20 clients stay within the memory of the gateway', async () => {
    const { answerMemory, pass } = smallMemory();
    await start({ answerMemory });
    for (let client = 1; client <= 20; client++) {
      const ask = clientAt(`192.0.2.${client}`);
      for (let count = 0; count < 2; count++) await ask(history);
      expect(answerMemory.used()).toBeLessThanOrEqual(12 * mebibyte);
    }
    pass(11_000);
    expect((await clientAt('192.0.2.99')(history)).status).toBe(200);
  });
});

describe.each([
  ['a version', '/TEST/mntner/EXAMPLE-MNT/versions/1.json'],
  ['an object', '/TEST/mntner/EXAMPLE-MNT.txt'],
  ['an object in XML', '/TEST/mntner/EXAMPLE-MNT.xml?unfiltered'],
])('%s that its client does not read', (_, path) => {
  it('is counted until it is read', async () => {
    const { answerMemory } = smallMemory();
    await start({ answerMemory });
    const { status, stream } = await clientAt('192.0.2.1')(path);
    expect(status).toBe(200);
    expect(answerMemory.used()).toBeGreaterThan(900_000);
    expect((await textOf(stream)).length).toBeGreaterThan(900_000);
    await expect.poll(() => answerMemory.used()).toBe(0);
  });
});

it('an expansion is counted while its parts arrive', async () => {
  const { answerMemory } = smallMemory();
  const part = { ...noSets, routers: ['a'.repeat(1_000_000)] };
  const describeSet = async function* (_request: unknown, { signal }: { signal: AbortSignal }) {
    yield part;
    yield part;
    await once(signal, 'abort');
  };
  await start({ answerMemory, sets: { describeSet } });
  const ask = clientAt('192.0.2.1');
  void ask('/search/expansion?set=AS-EX');
  await expect.poll(() => answerMemory.used()).toBeGreaterThan(4_000_000);
  expect((await ask('/search/expansion?set=AS-EX')).status).toBe(503);
  expect(answerMemory.used()).toBeLessThan(4_100_000);
  for (const session of sessions.splice(0)) session.destroy();
  await expect.poll(() => answerMemory.used()).toBe(0);
});

it('a published file that its client does not read is counted until it is read', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'publications-'));
  try {
    await mkdir(join(directory, 'nrtmv4/TEST'), { recursive: true });
    await writeFile(join(directory, 'nrtmv4/TEST/update-notification-file.jose'), 'a'.repeat(500_000));
    const { answerMemory } = smallMemory();
    await start({ answerMemory }, { CADASTRE_PUBLICATIONS_DIR: directory });
    const { status, headers, stream } = await clientAt('192.0.2.1')('/nrtmv4/TEST/update-notification-file.jose');
    expect([status, headers['content-length']]).toEqual([200, '500000']);
    expect(answerMemory.used()).toBe(500_000);
    expect(await textOf(stream)).toHaveLength(500_000);
    await expect.poll(() => answerMemory.used()).toBe(0);
  } finally {
    await rm(directory, { recursive: true });
  }
});

describe('a search that its client does not read', () => {
  it('holds one page, and ends when others need the memory', async () => {
    const { answerMemory, pass } = smallMemory();
    let pages = 0;
    const page = (): SearchResponse => ({
      objects: [
        {
          object: { ...mntner, text: large },
          related: false,
          managedAttributes: [],
          managedMaintainers: [],
          messages: [],
        },
      ],
      ...{ flags: [], messages: [], serial: 0n },
    });
    await start({
      answerMemory,
      search: {
        async *search() {
          for (;;) {
            pages++;
            yield page();
          }
        },
      },
    });
    const unread = await clientAt('192.0.2.1')('/search.txt?query-string=x');
    expect(unread.status).toBe(200);
    await expect.poll(() => answerMemory.used()).toBeGreaterThan(900_000);
    expect(answerMemory.used()).toBeLessThan(2 * mebibyte);
    expect(pages).toBeLessThan(5);
    pass(11_000);
    const others = [];
    for (let client = 2; client <= 11; client++) {
      others.push(await clientAt(`192.0.2.${client}`)('/TEST/mntner/EXAMPLE-MNT.txt'));
    }
    await expect.poll(() => unread.stream.closed).toBe(true);
    expect(others.map(({ status }) => status)).toEqual(others.map(() => 200));
  });
});
