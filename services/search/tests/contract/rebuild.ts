import { expect, test } from 'vitest';
import type { IndexDocument, Rebuild, SearchIndex, TypeQuery } from '../../src/index-port.js';
import { add, document, fill, ipv4Range, ipv6Prefix, keys } from './documents.js';

const all = { kind: 'terms', type: 'mntner', anyOf: [['mnt-by=root-mnt']], order: 'key' } as const;

function mntner(source: string, key: string): IndexDocument {
  return document({ source, type: 'mntner', key, terms: ['mnt-by=root-mnt'] });
}

function crowd(source: string, from: number, to: number): IndexDocument[] {
  return Array.from({ length: to - from }, (_, i) => mntner(source, `mnt-${String(from + i).padStart(4, '0')}`));
}

/** Both methods that add a document to a copy. */
const put = { fill: (rebuild: Rebuild, documents: IndexDocument[]) => rebuild.fill(documents), add };

/** A second copy beside the one in use, and the switch. */
export function rebuildContract(index: () => SearchIndex): void {
  test('queries see a rebuild only when it is finished, and then nothing else', async () => {
    const source = 'REBUILD';
    await fill(index(), source, [mntner(source, 'old-mnt')]);
    const rebuild = await index().beginRebuild(source, { serial: 0n });
    await add(rebuild, [mntner(source, 'a-mnt'), mntner(source, 'b-mnt')]);
    await add(rebuild, [mntner(source, 'b-mnt'), mntner(source, 'c-mnt')]);
    await rebuild.apply({ documents: [], deletions: [{ source, type: 'mntner', key: 'a-mnt' }], serial: 1n });
    expect(await keys(index(), source, all)).toEqual(['old-mnt']);
    expect(await rebuild.finish({ serial: 9n })).toBe(true);
    expect(await keys(index(), source, all)).toEqual(['b-mnt', 'c-mnt']);
    expect((await index().position(source))?.serial).toBe(9n);
    expect(await index().count(source)).toBe(2n);
    await rebuild.abandon();
    expect(await keys(index(), source, all)).toEqual(['b-mnt', 'c-mnt']);
  });

  test('documents that fill a rebuild are found and read like those that are added', async () => {
    const documents = (source: string) => [
      document({ source, type: 'person', key: 'q1-test', terms: ['word="quoted\\"', 'word={}', 'word=caf\u00e9'] }),
      { ...mntner(source, 'tagged-mnt'), created: new Date('1999-01-02T03:04:05Z'), tags: [{ id: 'a', data: 'b' }] },
      document({ source, type: 'domain', key: '2.0.192.in-addr.arpa', hosts: ['ns1.example.net', 'ns2.example.net'] }),
      document({
        source,
        type: 'inetnum',
        key: '0.0.0.0 - 255.255.255.255',
        range: ipv4Range('0.0.0.0', '255.255.255.255'),
      }),
      document({ source, type: 'route6', key: '2001:db8::/32as64500', range: ipv6Prefix(0n, 32n), origin: 'as64500' }),
      document({ source, type: 'aut-num', key: 'as64500', range: { space: 'as', first: 64500n, last: 64500n } }),
    ];
    const queries: TypeQuery[] = [
      { kind: 'terms', type: 'person', anyOf: [['word="quoted\\"'], ['word={}', 'word=caf\u00e9']], order: 'key' },
      all,
      { kind: 'hosts', type: 'domain', prefix: 'ns2' },
      { kind: 'range', type: 'inetnum', range: ipv4Range('192.0.2.0', '192.0.2.255'), mode: 'default' },
      { kind: 'range', type: 'route6', range: ipv6Prefix(0n, 32n), mode: 'exact', origin: 'as64500' },
      { kind: 'range', type: 'aut-num', range: { space: 'as', first: 64500n, last: 64500n }, mode: 'exact' },
    ];
    for (const method of ['fill', 'add'] as const) {
      const source = method.toUpperCase();
      const rebuild = await index().beginRebuild(source, { serial: 0n });
      await put[method](rebuild, documents(source).slice(0, 4));
      await put[method](rebuild, documents(source).slice(4));
      await add(rebuild, [mntner(source, 'tagged-mnt')]);
      await add(rebuild, documents(source).slice(1, 2));
      expect(await rebuild.finish({ serial: 7n })).toBe(true);
      expect(await index().count(source)).toBe(6n);
      const { objects } = await index().load(documents(source).map(({ type, key }) => ({ source, type, key })));
      expect(objects).toEqual(
        documents(source).map(({ terms, hosts, words, name, range, origin, ...object }) => object),
      );
      for (const [at, query] of queries.entries()) {
        expect(await keys(index(), source, query)).toEqual([documents(source)[at]!.key]);
      }
    }
  });

  test('a source that was never built gets its first index by a rebuild', async () => {
    const source = 'FIRST';
    const rebuild = await index().beginRebuild(source, { serial: 0n });
    await add(rebuild, [mntner(source, 'a-mnt')]);
    expect(await index().position(source)).toBeUndefined();
    expect(await rebuild.finish({ serial: 3n })).toBe(true);
    expect(await keys(index(), source, all)).toEqual(['a-mnt']);
  });

  test('batches reach the index in use during a rebuild, which must catch up before it may take over', async () => {
    const source = 'CATCHUP';
    await fill(index(), source, [mntner(source, 'a-mnt')]);
    const rebuild = await index().beginRebuild(source, { serial: 0n });
    await add(rebuild, [mntner(source, 'a-mnt')]);
    await index().apply(source, { after: 1n, documents: [mntner(source, 'b-mnt')], deletions: [], serial: 2n });
    expect(await rebuild.finish({ serial: 1n })).toBe(false);
    expect(await keys(index(), source, all)).toEqual(['a-mnt', 'b-mnt']);
    await add(rebuild, [mntner(source, 'b-mnt')]);
    expect(await rebuild.finish({ serial: 2n })).toBe(true);
    expect(await keys(index(), source, all)).toEqual(['a-mnt', 'b-mnt']);
  });

  test('a rebuild may go back with the registry', async () => {
    const source = 'BACK';
    await index().apply(source, { after: 0n, documents: [mntner(source, 'b-mnt')], deletions: [], serial: 9n });
    const rebuild = await index().beginRebuild(source, { serial: 3n }, { back: true });
    await add(rebuild, [mntner(source, 'a-mnt')]);
    expect(await rebuild.finish({ serial: 3n })).toBe(true);
    expect(await keys(index(), source, all)).toEqual(['a-mnt']);
    expect((await index().position(source))?.serial).toBe(3n);
  });

  test('one rebuild of a source at a time; an abandoned one leaves no trace', async () => {
    const source = 'ONCE';
    await fill(index(), source, [mntner(source, 'a-mnt')]);
    const rebuild = await index().beginRebuild(source, { serial: 0n });
    await add(rebuild, [mntner(source, 'b-mnt')]);
    await expect(index().beginRebuild(source, { serial: 0n })).rejects.toMatchObject({ kind: 'conflict' });
    await rebuild.abandon();
    expect(await keys(index(), source, all)).toEqual(['a-mnt']);
    const next = await index().beginRebuild(source, { serial: 0n });
    await add(next, [mntner(source, 'c-mnt')]);
    expect(await next.finish({ serial: 1n })).toBe(true);
    expect(await keys(index(), source, all)).toEqual(['c-mnt']);
  });

  test('a rebuild that is abandoned while it is filled leaves no trace', async () => {
    const source = 'HALF';
    await fill(index(), source, [mntner(source, 'a-mnt')]);
    const rebuild = await index().beginRebuild(source, { serial: 0n });
    await rebuild.fill(crowd(source, 0, 300));
    await rebuild.abandon();
    expect(await keys(index(), source, all)).toEqual(['a-mnt']);
    const next = await index().beginRebuild(source, { serial: 0n });
    await next.fill([mntner(source, 'b-mnt')]);
    await next.fill(crowd(source, 0, 2));
    expect(await next.finish({ serial: 1n })).toBe(true);
    expect(await keys(index(), source, all)).toEqual(['b-mnt', 'mnt-0000', 'mnt-0001']);
  });

  test('an interrupted rebuild continues where it was, also after the export', async () => {
    const source = 'RESUMED';
    await fill(index(), source, [mntner(source, 'old-mnt')]);
    const instants = [1, 4, 5].map((second) => new Date(second * 1000 + 123));
    const first = await index().beginRebuild(source, { serial: 1n, instant: instants[0] });
    expect([first.exported, first.isFilled, first.objects]).toEqual([undefined, false, 0n]);
    await first.fill(crowd(source, 0, 300), 'page 1');
    await first.suspend('the registry is unavailable');
    expect(await index().rebuildState(source)).toMatchObject({
      id: first.id,
      phase: 'export',
      objects: 300n,
      serial: 1n,
      failure: 'the registry is unavailable',
    });
    const second = await index().beginRebuild(source, { serial: 5n });
    expect([second.id, second.start, second.exported]).toEqual([
      first.id,
      { serial: 1n, instant: instants[0] },
      'page 1',
    ]);
    expect([second.isFilled, second.objects]).toEqual([false, 300n]);
    await second.fill(crowd(source, 300, 400), 'page 2');
    await second.apply({ documents: [mntner(source, 'new-mnt')], deletions: [], serial: 4n, instant: instants[1] });
    await second.suspend();
    const third = await index().beginRebuild(source, { serial: 5n });
    expect([third.id, third.isFilled, third.start]).toEqual([first.id, true, { serial: 4n, instant: instants[1] }]);
    const deletions = [{ source, type: 'mntner', key: 'mnt-0001' } as const];
    await third.apply({ documents: [], deletions, serial: 5n, instant: instants[2] });
    expect(await keys(index(), source, all)).toEqual(['old-mnt']);
    expect(await third.finish({ serial: 5n, instant: instants[2] })).toBe(true);
    expect(await index().position(source)).toMatchObject({ serial: 5n, instant: instants[2] });
    const expected = [...crowd(source, 0, 400).map(({ key }) => key), 'new-mnt'].filter((key) => key !== 'mnt-0001');
    expect(await keys(index(), source, all)).toEqual(expected);
    expect(await index().count(source)).toBe(400n);
    expect(await index().rebuildState(source)).toMatchObject({ id: first.id, phase: 'finished' });
  });

  test.each([
    ['that is not wanted', { serial: 9n }, { fresh: true }],
    ['of a registry that was restored to an earlier state', { serial: 2n }, {}],
    ['of a registry that was restored and has another change now', { serial: 3n, instant: new Date(4_000) }, {}],
    ['that may not go back with the registry', { serial: 9n }, { back: true }],
  ])('an interrupted rebuild %s is discarded', async (_, newest, options) => {
    const source = `DISCARDED-${newest.serial}-${Object.keys(options).join('')}`;
    await fill(index(), source, [mntner(source, 'old-mnt')]);
    const interrupted = await index().beginRebuild(source, { serial: 3n, instant: new Date(3_000) });
    await interrupted.fill([mntner(source, 'a-mnt')], 'page 1');
    await interrupted.suspend();
    const next = await index().beginRebuild(source, newest, options);
    expect([next.id === interrupted.id, next.start, next.exported]).toEqual([false, newest, undefined]);
    await next.fill([mntner(source, 'b-mnt')], 'page 1');
    expect(await next.finish(newest)).toBe(true);
    expect(await keys(index(), source, all)).toEqual(['b-mnt']);
  });

  test('a rebuild that failed says why, and leaves nothing', async () => {
    for (const source of ['FAILED-FIRST', 'FAILED']) {
      if (source === 'FAILED') await fill(index(), source, [mntner(source, 'old-mnt')]);
      expect(await index().rebuildState(source)).toBeUndefined();
      const failed = await index().beginRebuild(source, { serial: 1n });
      await failed.fill([mntner(source, 'a-mnt')], 'page 1');
      await failed.abandon('the disk is full');
      expect(await index().rebuildState(source)).toMatchObject({
        id: failed.id,
        phase: 'failed',
        failure: 'the disk is full',
      });
      const next = await index().beginRebuild(source, { serial: 1n });
      expect(next.exported).toBeUndefined();
      expect(await next.finish({ serial: 1n })).toBe(true);
      expect(await keys(index(), source, all)).toEqual([]);
      expect(await index().rebuildState(source)).toMatchObject({ id: next.id, phase: 'finished' });
    }
  });

  test('a running query continues across a switch', async () => {
    const source = 'SWITCH';
    await fill(index(), source, crowd(source, 0, 300));
    const seen: string[] = [];
    let switched = false;
    const matches = await index().query(source, [all], new AbortController().signal);
    for await (const page of matches!.pages) {
      seen.push(...page.map((one) => one.key));
      if (switched) continue;
      const rebuild = await index().beginRebuild(source, { serial: 0n });
      await add(rebuild, crowd(source, 0, 300));
      expect(await rebuild.finish({ serial: 1n })).toBe(true);
      switched = true;
    }
    expect(seen).toEqual(crowd(source, 0, 300).map((one) => one.key));
  });

  test('a switch leaves the other sources alone', async () => {
    await fill(index(), 'BESIDE', [mntner('BESIDE', 'a-mnt')]);
    const rebuild = await index().beginRebuild('ELSEWHERE', { serial: 0n });
    await rebuild.finish({ serial: 1n });
    expect(await keys(index(), 'BESIDE', all)).toEqual(['a-mnt']);
    expect(await keys(index(), 'ELSEWHERE', all)).toEqual([]);
  });
}
