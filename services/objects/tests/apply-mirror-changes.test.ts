import type { ApplyMirrorChangesRequest, MirrorChange, MirrorChangeSettings } from '@cadastre/proto/objects';
import { Operation } from '@cadastre/proto/registry';
import { generateKey, type UserIDPacket } from 'openpgp';
import { beforeEach, describe, expect, test } from 'vitest';
import { currentSerial } from '../src/store/serials.js';
import {
  allChanges,
  allDeletes,
  hierarchyOf,
  loadPieces,
  loadText,
  lookup,
  mirrorOf,
  readerOf,
  useContext,
} from './test-context.js';

// Changes of another registry, applied to its copy (MirrorWriteService).
const setup = useContext();
const source = 'EXAMPLE-GRS';
const sourceId = () => setup.context.sources.byName(source)!.id;
const serial = () => currentSerial(setup.context.readPool, sourceId());

const object = (...lines: string[]) => `${lines.join('\n')}\n`;
const mntner = (name: string, descr = 'first', from = 'EXAMPLE') =>
  object(`mntner: ${name}`, `descr: ${descr}`, `source: ${from}`);
const route = (prefix: string, descr = 'first') =>
  object(`route: ${prefix}`, 'origin: AS64500', `descr: ${descr}`, 'mnt-by: M1-MNT', 'source: EXAMPLE');
const put = (text: string): MirrorChange => ({ change: { $case: 'put', value: text } });
const del = (type: string, primaryKey: string): MirrorChange => ({
  change: { $case: 'delete', value: { type, primaryKey } },
});

async function* messages(
  changes: readonly MirrorChange[],
  settings: Partial<MirrorChangeSettings> = {},
  portion = 3,
): AsyncGenerator<ApplyMirrorChangesRequest> {
  yield { part: { $case: 'settings', value: { source, ...settings } } };
  for (let at = 0; at < changes.length; at += portion) {
    yield { part: { $case: 'changes', value: { changes: changes.slice(at, at + portion) } } };
  }
}

const apply = (changes: readonly MirrorChange[], settings: Partial<MirrorChangeSettings> = {}, portion?: number) =>
  mirrorOf(setup.context).applyMirrorChanges(messages(changes, settings, portion));

async function stored(type: string, key: string): Promise<string | undefined> {
  return (await lookup(setup.context, type, key, 0, source))?.text;
}

async function changesAfter(after: bigint) {
  const changes = await allChanges(setup.context, sourceId(), { after, upTo: await serial() });
  return changes.map(({ serial, operation, stored: { type, key } }) => [serial - after, operation, type, key]);
}

beforeEach(async () => {
  await loadText(setup.context, '', { source, replace: true, allowedDeletes: allDeletes });
});

describe('changes', () => {
  test('are stored with our source, serials in their order, references and ranges', async () => {
    const start = await serial();
    const answer = await apply([
      put(mntner('M1-MNT')),
      put(route('192.0.2.0/24')),
      put(route('198.51.100.0/24')),
      put(object('person: Some Body', 'nic-hdl: SB1-XX', 'mnt-by: M1-MNT', 'source: EXAMPLE # Filtered')),
    ]);
    expect(answer).toMatchObject({ created: 4n, modified: 0n, deleted: 0n, rejected: 0n, serial: start + 4n });
    expect((await changesAfter(start)).map((change) => change.slice(2))).toEqual([
      ['mntner', 'm1-mnt'],
      ['route', '192.0.2.0/24as64500'],
      ['route', '198.51.100.0/24as64500'],
      ['person', 'sb1-xx'],
    ]);
    expect(await stored('person', 'SB1-XX')).toContain('source:         EXAMPLE-GRS # Filtered\n');
    const key = { source, type: 'mntner', key: 'M1-MNT' };
    const { incoming } = await readerOf(setup.context).listReferences({ key, limit: 0 });
    expect(incoming.map((one) => one.key!.key).sort()).toEqual([
      '192.0.2.0/24AS64500',
      '198.51.100.0/24AS64500',
      'SB1-XX',
    ]);
    const inside = { source, type: 'route', resource: '192.0.2.0/23', scope: 2, limit: 0, view: 0 };
    const found: string[] = [];
    for await (const { objects } of hierarchyOf(setup.context).listContained(inside)) {
      found.push(...objects.map((one) => one.key));
    }
    expect(found).toEqual(['192.0.2.0/24AS64500']);
  });

  test('modify and delete, keep history, and announce each object once', async () => {
    await apply([put(mntner('M1-MNT')), put(route('192.0.2.0/24')), put(route('198.51.100.0/24'))]);
    const start = await serial();
    const answer = await apply([
      del('ROUTE', '198.51.100.0/24as64500'),
      put(route('192.0.2.0/24', 'second')),
      del('mntner', 'NOBODY-MNT'),
    ]);
    expect(answer).toMatchObject({ created: 0n, modified: 1n, deleted: 1n, missing: 1n, serial: start + 2n });
    expect(await stored('route', '198.51.100.0/24AS64500')).toBeUndefined();
    expect(await stored('route', '192.0.2.0/24AS64500')).toContain('second');
    const key = { source, type: 'route', key: '198.51.100.0/24AS64500' };
    const { versions } = await readerOf(setup.context).listVersions({ key });
    expect(versions.map(({ operation }) => operation).slice(-2)).toEqual([
      Operation.OPERATION_UPDATE,
      Operation.OPERATION_DELETE,
    ]);
  });

  test('change nothing when they are repeated', async () => {
    const changes = [put(mntner('M1-MNT', 'x')), put(route('192.0.2.0/24')), del('route', '198.51.100.0/24AS64500')];
    await apply([put(route('198.51.100.0/24'))]);
    const first = await apply(changes);
    expect(first).toMatchObject({ created: 2n, deleted: 1n, missing: 0n });
    const again = await apply(changes);
    expect(again).toMatchObject({ created: 0n, unchanged: 2n, deleted: 0n, missing: 1n, serial: first.serial });
  });

  // Each row: the changes of one object, whether it existed, what is left, and how many serials that took.
  test.each<[string, MirrorChange[], boolean, string | undefined, bigint]>([
    ['added and deleted', [put(mntner('M1-MNT')), del('mntner', 'm1-mnt')], false, undefined, 0n],
    ['deleted and added', [del('mntner', 'M1-MNT'), put(mntner('M1-MNT', 'new'))], true, 'new', 1n],
    ['deleted and added as it was', [del('mntner', 'M1-MNT'), put(mntner('M1-MNT'))], true, 'first', 0n],
    ['changed twice', [put(mntner('m1-mnt', 'a')), put(mntner('M1-MNT', 'b'))], true, 'b', 1n],
    ['changed and deleted', [put(mntner('M1-MNT', 'a')), del('mntner', 'M1-MNT')], true, undefined, 1n],
    ['changed by one that cannot be read last', [put(mntner('M1-MNT', 'a')), put('mntner: M1-MNT\n')], true, 'a', 1n],
  ])('of one object that is %s: the last one counts', async (_, changes, wasThere, left, serials) => {
    if (wasThere) await apply([put(mntner('M1-MNT'))]);
    for (const portion of [1, 2]) {
      const filler = Array.from({ length: 2_500 }, (_, n) => del('mntner', `FILL${n}-MNT`));
      const apart = portion === 1 ? changes : [changes[0]!, ...filler, ...changes.slice(1)];
      const start = await serial();
      const answer = await apply(apart, {}, portion * 1000);
      if (portion === 1) expect(answer.serial - start).toBe(serials);
      const text = await stored('mntner', 'M1-MNT');
      if (left === undefined) expect(text).toBeUndefined();
      else expect(text).toMatch(new RegExp(`^descr: +${left}$`, 'm'));
    }
  });

  test('that cannot be read are reported with their places; the others are applied', async () => {
    await apply([put(mntner('KEPT-MNT'))]);
    const answer = await apply([
      put(mntner('M1-MNT')),
      put('no object at all'),
      del('dictionary', 'RPSL'),
      put(mntner('KEPT-MNT', 'new', 'ELSEWHERE')),
      del('route', '192.0.2.0/24'),
      put(`${mntner('M2-MNT')}\n${mntner('M3-MNT')}`),
      put('# only a comment\n'),
      put(mntner('M4-MNT')),
    ]);
    expect(answer).toMatchObject({ created: 2n, rejected: 6n });
    expect(answer.rejections.map(({ position, name, reasons }) => [position, name, reasons])).toEqual([
      [1n, 'no object at all', [expect.any(String)]],
      [2n, 'dictionary RPSL', ['Unknown object type']],
      [3n, 'mntner KEPT-MNT', ['The object is of the source ELSEWHERE, not of EXAMPLE']],
      [4n, 'route 192.0.2.0/24', ['Not the key of a route']],
      [5n, 'mntner: M2-MNT', ['The text has 2 objects']],
      [6n, '# only a comment', ['The text has 0 objects']],
    ]);
    expect(await stored('mntner', 'KEPT-MNT')).toContain('first');
    expect(await stored('mntner', 'M3-MNT')).toBeUndefined();
  });

  test('take the name that the registry gives to its source', async () => {
    const named = { originSource: 'elsewhere' };
    const answer = await apply([put(mntner('M1-MNT', 'x', 'ELSEWHERE')), put(mntner('M2-MNT'))], named);
    expect(answer.rejections.map(({ reasons }) => reasons)).toEqual([
      ['The object is of the source EXAMPLE, not of ELSEWHERE'],
    ]);
    expect(await stored('mntner', 'M1-MNT')).toContain('EXAMPLE-GRS');
    const text = mntner('M5-MNT', 'x', 'ELSEWHERE');
    expect((await loadText(setup.context, text, { source, ...named })).summary).toMatchObject({ created: 1n });
  });

  test('with key-certs: found by their subkeys, also after later changes of others', async () => {
    const userIDs = [{ name: 'a' }] as unknown as UserIDPacket[];
    const { privateKey } = await generateKey({ userIDs, subkeys: [{ sign: true }], format: 'object' });
    const lines = privateKey.toPublic().armor().trim().split(/\r?\n/);
    const keyCert = object(`key-cert: PGPKEY-00000001`, ...lines.map((line) => `certif: ${line}`), 'source: EXAMPLE');
    const changes = [put(keyCert), del('key-cert', 'PGPKEY-00000002'), put(mntner('M1-MNT')), put(keyCert)];
    expect(await apply(changes)).toMatchObject({ created: 2n, missing: 1n, rejected: 0n });
    const pgpSubkeyIds = privateKey.getSubkeys().map((subkey) => subkey.getKeyID().toHex());
    const requested = { source, pgpSubkeyIds, certificateFingerprints: [] };
    expect((await readerOf(setup.context).findKeyCerts(requested)).names).toEqual(['PGPKEY-00000001']);
  });

  test('take no handles', async () => {
    await apply([put(object('person: Some Body', 'nic-hdl: SB2-XX', 'source: EXAMPLE'))]);
    const { rows } = await setup.context.readPool.query('select from handle where source_id = $1', [sourceId()]);
    expect(rows).toEqual([]);
  });

  test('of many parts are one commit', async () => {
    const count = 4_500;
    const start = await serial();
    const answer = await apply(
      Array.from({ length: count }, (_, n) => put(mntner(`MANY${n}-MNT`))),
      {},
      500,
    );
    expect(answer).toMatchObject({ created: BigInt(count), serial: start + BigInt(count) });
    const { rows } = await setup.context.readPool.query(
      'select count(distinct xmin::text) as commits from object where source_id = $1 and not deleted',
      [sourceId()],
    );
    expect(rows[0].commits).toBe(1n);
    const changes = await changesAfter(start);
    expect(changes.map(([place, , , key]) => [place, key])).toEqual(
      Array.from({ length: count }, (_, n) => [BigInt(n + 1), `many${n}-mnt`]),
    );
  });
});

describe('a call', () => {
  const kinds = async (calls: AsyncIterable<ApplyMirrorChangesRequest>) =>
    mirrorOf(setup.context)
      .applyMirrorChanges(calls)
      .then(
        () => 'done',
        (error: { kind: string }) => error.kind,
      );

  test.each<[string, string, () => AsyncIterable<ApplyMirrorChangesRequest>]>([
    ['the main source', 'invalid', () => messages([], { source: 'TEST' })],
    ['an unknown source', 'invalid', () => messages([], { source: 'NONE-GRS' })],
    [
      'no settings',
      'invalid',
      async function* () {
        yield { part: { $case: 'changes' as const, value: { changes: [] } } };
      },
    ],
    ['no message', 'invalid', async function* () {}],
    [
      'settings twice',
      'invalid',
      async function* () {
        yield* messages([put(mntner('M1-MNT'))]);
        yield* messages([]);
      },
    ],
    ['a change without content', 'invalid', () => messages([put(mntner('M1-MNT')), {}])],
    [
      'too many changes',
      'out-of-range',
      async function* () {
        yield* messages([put(mntner('M1-MNT'))]);
        const changes = Array.from({ length: 50_000 }, () => del('mntner', 'M1-MNT'));
        for (let n = 0; n < 5; n++) yield { part: { $case: 'changes' as const, value: { changes } } };
      },
    ],
    [
      'too much text',
      'out-of-range',
      async function* () {
        yield* messages([put(mntner('M1-MNT'))]);
        const changes = [put('x'.repeat(4_000_000))];
        for (let n = 0; n < 17; n++) yield { part: { $case: 'changes' as const, value: { changes } } };
      },
    ],
  ])('with %s fails and changes nothing', async (_, kind, calls) => {
    const start = await serial();
    expect(await kinds(calls())).toBe(kind);
    expect(await serial()).toBe(start);
    expect(await stored('mntner', 'M1-MNT')).toBeUndefined();
  });

  test('that breaks half-way changes nothing', async () => {
    async function* breaking() {
      yield* messages(Array.from({ length: 5_000 }, (_, n) => put(mntner(`BR${n}-MNT`))));
      throw new Error('the mirror died');
    }
    await expect(mirrorOf(setup.context).applyMirrorChanges(breaking())).rejects.toThrow();
    expect(await stored('mntner', 'BR0-MNT')).toBeUndefined();
    expect(await apply([put(mntner('BR0-MNT'))])).toMatchObject({ created: 1n });
  });

  test('and a load of the same source exclude each other', async () => {
    const { context } = setup;
    const [started, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    async function* slow() {
      started.resolve();
      yield Buffer.from(mntner('SLOW-MNT'));
      await release.promise;
    }
    const loading = loadPieces(context, slow(), { source });
    await started.promise;
    expect(await kinds(messages([put(mntner('M1-MNT'))]))).toBe('conflict');
    release.resolve();
    await loading;
    expect(await kinds(messages([put(mntner('M1-MNT'))]))).toBe('done');
  });
});
