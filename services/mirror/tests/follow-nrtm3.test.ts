import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { testLogger } from '@cadastre/service/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Nrtm3State, nrtm3Origin } from '../src/follow/nrtm3/origin.js';
import type { Applied, MirrorChange, Mirrored, Progress } from '../src/follow/origin.js';
import { type StubWhois, startStubWhois } from './whois-server.fixture.js';

let whois: StubWhois;
let folder: string;

beforeAll(async () => {
  whois = await startStubWhois();
  folder = await mkdtemp(path.join(tmpdir(), 'nrtm3-'));
});
afterAll(async () => {
  await whois.stop();
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  whois.requested.length = 0;
  await publish('mntner: DUMP-MNT\nsource: EXAMPLE\n', 100);
});

const file = (name: string) => pathToFileURL(path.join(folder, name));

async function publish(dump: string | Buffer, serial: number | string): Promise<void> {
  await writeFile(file('dump'), dump);
  await writeFile(file('serial'), `${serial}\n`);
}

const origin = (more: Partial<Parameters<typeof nrtm3Origin>[0]> = {}) =>
  nrtm3Origin({
    ...{ host: '127.0.0.1', port: whois.port, source: 'EXAMPLE', reach: { ownNetwork: true } },
    ...{ dumps: [file('dump')], serial: file('serial'), encoding: 'latin1' },
    ...more,
  });

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** Records written changes and stored progress. */
function recording() {
  const written: (string | readonly MirrorChange[])[] = [];
  const saved: Progress[] = [];
  const stopping = new AbortController();
  const none: Applied = { loads: 0, puts: 0, deletes: 0, rejected: 0 };
  const mirrored: Mirrored = {
    source: 'EXAMPLE-GRS',
    faults: 0,
    writer: {
      async load(open) {
        const pieces = await all(open());
        written.push(Buffer.concat(pieces).toString('latin1'));
        return { ...none, loads: 1 };
      },
      async apply(changes) {
        const given = (await all(changes)).flat();
        written.push(given);
        return { ...none, puts: given.filter((one) => 'put' in one).length };
      },
    },
    save: async (progress) => void saved.push(progress),
    storedFiles: async () => ({}),
    signal: stopping.signal,
    logger: testLogger(),
    now: () => new Date(),
  };
  return { mirrored, written, saved, stop: () => stopping.abort() };
}

const at = (serial: number): Nrtm3State => ({ serial });
const start = (first: number, last: number) => `%START Version: 3 EXAMPLE ${first}-${last}\n\n`;
const change = (action: 'ADD' | 'DEL', serial: number, name: string) => `${action} ${serial}\n\n${text(name)}\n`;
const text = (name: string) => `mntner:         ${name}\nsource:         EXAMPLE\n`;
const end = '%END EXAMPLE\n\n\n';

/** Updates once from a state, and returns the result. */
async function updateFrom(state: Nrtm3State | undefined, more?: Partial<Parameters<typeof nrtm3Origin>[0]>) {
  const record = recording();
  const fault = await origin(more)
    .update(state, record.mirrored)
    .then(
      () => undefined,
      (error) => error as Error & { kind?: string },
    );
  const states = record.saved.map((progress) => progress.state as Nrtm3State);
  return { ...record, fault, states };
}

describe('the beginning', () => {
  test('loads the dump and then requests the changes after it', async () => {
    whois.answer(start(101, 103) + change('ADD', 101, 'A-MNT') + change('DEL', 103, 'B-MNT') + end);
    const { written, saved, fault } = await updateFrom(undefined);
    expect(fault).toBeUndefined();
    expect(whois.requested).toEqual(['-g EXAMPLE:3:101-LAST\n']);
    expect(written).toEqual([
      'mntner: DUMP-MNT\nsource: EXAMPLE\n\n\n',
      [{ put: text('A-MNT') }, { delete: { type: 'mntner', primaryKey: 'B-MNT' } }],
    ]);
    expect(saved).toMatchObject([
      { state: { serial: 100 }, version: 100, applied: { loads: 1 } },
      { state: { serial: 103 }, version: 103, applied: { loads: 0, puts: 1 } },
    ]);
  });

  test('a dump of several files, some of them packed', async () => {
    await writeFile(file('packed'), gzipSync('mntner: PACKED-MNT\nsource: EXAMPLE\n'));
    whois.answer('% Warning: there are no newer updates available\n\n\n');
    const { written } = await updateFrom(undefined, { dumps: [file('dump'), file('packed')] });
    expect(written).toEqual(['mntner: DUMP-MNT\nsource: EXAMPLE\n\n\nmntner: PACKED-MNT\nsource: EXAMPLE\n\n\n']);
  });

  test.each([
    ['a serial file without a serial', 'none', 'refused', 'has no serial'],
    ['one that is too long', '1'.repeat(2_000), 'refused', 'longer than'],
  ])('%s loads nothing', async (_what, serial, kind, message) => {
    await publish('', serial);
    const { fault, written, saved } = await updateFrom(undefined);
    expect(fault).toMatchObject({ kind, message: expect.stringContaining(message) });
    expect([written, saved, whois.requested]).toEqual([[], [], []]);
  });

  test('no dump, no load', async () => {
    const { fault, written } = await updateFrom(undefined, { dumps: [file('missing')] });
    expect(fault).toMatchObject({ kind: 'transient' });
    expect(written).toEqual([]);
  });
});

describe('changes', () => {
  test('come in batches, each stored after it was applied', async () => {
    whois.answer(
      start(101, 110) +
        [101, 102, 104, 107, 108].map((serial) => change('ADD', serial, `M${serial}-MNT`)).join('') +
        end,
    );
    const { written, states } = await updateFrom(at(100), { batch: { changes: 2, length: 1_000_000 } });
    expect(written.map((batch) => batch.length)).toEqual([2, 2, 1]);
    expect(states.map(({ serial }) => serial)).toEqual([102, 107, 110]);
  });

  test('of a few large objects are a batch, too', async () => {
    whois.answer(start(101, 103) + [101, 102, 103].map((serial) => change('ADD', serial, 'A-MNT')).join('') + end);
    const { written } = await updateFrom(at(100), { batch: { changes: 100, length: 1 } });
    expect(written).toHaveLength(3);
  });

  test('that are not given away move the serial, too', async () => {
    whois.answer(start(101, 120) + end);
    const { written, states, saved } = await updateFrom(at(100));
    expect([written, states]).toEqual([[], [{ serial: 120 }]]);
    expect(saved[0]!.applied).toBeUndefined();
  });

  test.each([
    ['UTF-8', Buffer.from('descr: Größe 漢\n').toString('latin1'), 'descr: Größe 漢'],
    ['latin-1', 'descr: Größe\n', 'descr: Größe'],
  ])('in %s', async (_charset, line, expected) => {
    whois.answer(`${start(101, 101)}ADD 101\n\nmntner: A-MNT\n${line}source: EXAMPLE\n\n${end}`);
    const { written } = await updateFrom(at(100));
    expect(written[0]).toEqual([{ put: expect.stringContaining(expected) }]);
  });

  test('a deletion needs the key alone; what has none is counted', async () => {
    const deletions = [
      'DEL 101\n\n*rt: 192.0.2.0/24\n*or: as64500\n\n',
      'DEL 102\n\nperson: Alice\nnic-hdl: AE1-OTHER\n\n',
      'DEL 103\n\nperson: Alice\n\n',
      'DEL 104\n\ndictionary: Oxford\n\n',
    ];
    whois.answer(start(101, 104) + deletions.join('') + end);
    const { written, saved, fault } = await updateFrom(at(100));
    expect(fault).toBeUndefined();
    expect(written).toEqual([
      [
        { delete: { type: 'route', primaryKey: '192.0.2.0/24as64500' } },
        { delete: { type: 'person', primaryKey: 'AE1-OTHER' } },
      ],
    ]);
    expect(saved[0]!.applied).toMatchObject({ rejected: 2 });
  });
});

describe('other classes', () => {
  const classes = new Set(['mntner', 'route'] as const);
  const person = (serial: number) => `ADD ${serial}\n\nperson: Alice\nnic-hdl: AE1-EXAMPLE\nsource: EXAMPLE\n\n`;

  test('of changes are left out, and the serial advances over them, a batch at a time', async () => {
    whois.answer(
      start(101, 106) + [101, 102, 103].map(person).join('') + change('ADD', 104, 'A-MNT') + person(105) + end,
    );
    const { written, states } = await updateFrom(at(100), { classes, batch: { changes: 2, length: 1_000 } });
    expect(written).toEqual([[], [{ put: text('A-MNT') }], []]);
    expect(states.map(({ serial }) => serial)).toEqual([102, 104, 106]);
  });

  test('of the dump are left out', async () => {
    await publish(`person: Alice\nsource: EXAMPLE\n\n${text('A-MNT')}\n`, 100);
    whois.answer('% Warning: there are no newer updates available\n\n\n');
    const { written } = await updateFrom(undefined, { classes });
    expect(written).toEqual([`${text('A-MNT')}\n`]);
  });
});

describe('what a server says instead of changes', () => {
  test.each([
    ['IRRd', '% Warning: there are no newer updates available\n\n\n'],
    ['RIPE', '% banner\n\n%ERROR:401: invalid range: Not within 1-100\n\n\n'],
  ])('nothing newer: %s', async (_who, answer) => {
    whois.answer(answer);
    const { fault, saved, written } = await updateFrom(at(100));
    expect([fault, saved, written]).toEqual([undefined, [], []]);
  });

  test.each([
    ['RIPE', '%ERROR:401: invalid range: Not within 90-120\n'],
    ['RIPE, by age', '%ERROR:401: (Requesting serials older than 14 days will be rejected)\n'],
    ['IRRd', '%% ERROR: Serials 51 - 90 do not exist\n\n\n'],
    ['IRRd, by age', '%% ERROR: Requesting serials older than 14 days will be rejected\n\n\n'],
    ['IRRd, by number', '%% ERROR: Serial range requested exceeds maximum range of 10\n\n\n'],
  ])('forgotten changes, then the dump again: %s', async (_who, refusal) => {
    whois.answer((socket) => socket.end(whois.requested.length === 1 ? refusal : `${start(101, 101)}${end}`));
    const { fault, written, states } = await updateFrom(at(50));
    expect(fault).toBeUndefined();
    expect(whois.requested).toEqual(['-g EXAMPLE:3:51-LAST\n', '-g EXAMPLE:3:101-LAST\n']);
    expect(written).toEqual(['mntner: DUMP-MNT\nsource: EXAMPLE\n\n\n']);
    expect(states.map(({ serial }) => serial)).toEqual([100, 101]);
  });

  test('forgotten changes, and no newer dump', async () => {
    whois.answer('%ERROR:401: invalid range: Not within 190-220\n');
    const { fault, written } = await updateFrom(at(150));
    expect(fault).toMatchObject({ kind: 'refused', message: expect.stringContaining('its dump is of 100') });
    expect(written).toEqual([]);
  });

  test('a dump that is older than the oldest change', async () => {
    whois.answer('%ERROR:401: invalid range: Not within 190-220\n');
    const { fault, states } = await updateFrom(at(50));
    expect(fault).toMatchObject({ kind: 'refused', message: expect.stringContaining('no changes after its dump') });
    expect(states).toEqual([at(100)]);
  });

  test.each([
    ['RIPE: it is behind us', '%ERROR:401: invalid range: Not within 1-99\n', 'refused'],
    ['IRRd: it is behind us', '%% ERROR: Serials 90 - 101 do not exist\n', 'refused'],
    ['not authorised', '%ERROR:402: not authorised\n', 'refused'],
    ['unknown source', '%ERROR:403: unknown source\n', 'refused'],
    ['syntax', '%ERROR:405: syntax error\n', 'refused'],
    ['version', '%ERROR:406: NRTM version mismatch\n', 'refused'],
    ['too many connections', '%ERROR:306: connections exceeded\n', 'transient'],
    ['IRRd: not authorised', '%% ERROR: Access denied\n\n\n', 'refused'],
    ['IRRd: unknown source', '%% ERROR: Unknown source: EXAMPLE\n\n\n', 'refused'],
    ['IRRd: version', '%% ERROR: Invalid NRTM version: 3\n\n\n', 'refused'],
    ['words that nobody knows', '%% ERROR: try again\n', 'transient'],
    ['an error of the server', '%ERROR:100: internal software error\n', 'transient'],
  ])('%s', async (_what, answer, kind) => {
    whois.answer(answer);
    const { fault, written, saved } = await updateFrom(at(100));
    expect(fault).toMatchObject({ kind });
    expect([written, saved]).toEqual([[], []]);
  });
});

describe('answers that are not right', () => {
  const bounds = { idleTimeoutMs: 60_000, maxBytes: 10_000 };
  const changes = start(101, 110) + change('ADD', 101, 'A-MNT') + change('ADD', 102, 'B-MNT');

  test.each<[string, string | ((socket: import('node:net').Socket) => void), string, string]>([
    ['a cut stream', changes, 'transient', 'cut off'],
    ['one cut inside an object', `${changes}ADD 103\n\nmntner: C-MNT\n`, 'transient', 'cut off'],
    ['a closed connection', '', 'transient', 'cut off'],
    ['a reset', (socket) => socket.resetAndDestroy(), 'transient', 'ECONNRESET'],
    ['silence', (socket) => void socket.write(changes), 'transient', 'silent for 0.2 seconds'],
    ['another source', `%START Version: 3 OTHER 101-110\n\n${end}`, 'refused', 'source OTHER'],
    ['another beginning', `${start(102, 110)}${end}`, 'refused', 'begins with the serial 102'],
    ['another version', `%START Version: 1 EXAMPLE 101-110\n\n${end}`, 'refused', 'version 1'],
    ['a wrong order', `${changes}${change('ADD', 102, 'C-MNT')}${end}`, 'refused', 'follows the change 102'],
    ['a serial beyond the end', `${changes}${change('ADD', 111, 'C-MNT')}${end}`, 'refused', 'outside'],
    ['more bytes than allowed', changes + '% x\n'.repeat(3_000), 'refused', 'longer than 10000 bytes'],
    ['another protocol', 'HTTP/1.1 400 Bad Request\n\n', 'refused', 'neither a comment nor a change'],
  ])('%s', async (what, answer, kind, message) => {
    whois.answer(answer);
    const answered = what === 'silence' ? { ...bounds, idleTimeoutMs: 200 } : bounds;
    const { fault, written, saved } = await updateFrom(at(100), { answer: answered });
    expect(fault).toMatchObject({ kind, message: expect.stringContaining(message) });
    expect([written, saved]).toEqual([[], []]);
  });

  test('whole batches before stay, and the next update goes on after them', async () => {
    whois.answer(changes);
    const { states } = await updateFrom(at(100), { batch: { changes: 1, length: 1_000 } });
    expect(states.map(({ serial }) => serial)).toEqual([101, 102]);
    whois.answer(start(103, 103) + end);
    expect((await updateFrom(states.at(-1))).fault).toBeUndefined();
    expect(whois.requested.at(-1)).toBe('-g EXAMPLE:3:103-LAST\n');
  });

  test('no server', async () => {
    const { fault } = await updateFrom(at(100), { port: 1 });
    expect(fault).toMatchObject({ kind: 'transient', message: expect.stringContaining('127.0.0.1:1: ') });
  });

  test('an address inside that the operator has not allowed is never asked', async () => {
    const { fault } = await updateFrom(at(100), { reach: { ownNetwork: false } });
    expect(fault).toMatchObject({ kind: 'refused', message: expect.stringContaining('no public address') });
    const named = await updateFrom(at(100), { host: 'localhost', reach: { ownNetwork: false } });
    expect(named.fault).toMatchObject({ kind: 'refused' });
    expect(whois.requested).toEqual([]);
  });

  test('a service that stops does not wait for the server', async () => {
    const record = recording();
    whois.answer(() => record.stop());
    await expect(origin().update(at(100), record.mirrored)).rejects.toThrow();
    expect(record.mirrored.signal.aborted).toBe(true);
  });
});
