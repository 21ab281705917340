import { expect, test } from 'vitest';
import type { IndexDocument, SearchIndex } from '../../src/index-port.js';
import { document, fill, ipv4Range, keys, load } from './documents.js';

function mntner(source: string, key: string, serial = 1n, terms = ['mnt-by=root-mnt']): IndexDocument {
  return document({ source, type: 'mntner', key, serial, terms });
}

const all = { kind: 'terms', type: 'mntner', anyOf: [['mnt-by=root-mnt']], order: 'key' } as const;

/** Batches, positions, repeats, gaps, loading by key. */
export function changesContract(index: () => SearchIndex): void {
  test('queries see a batch as soon as it is applied, and the position follows', async () => {
    const source = 'APPLY';
    expect(await index().position(source)).toBeUndefined();
    await fill(index(), source, [mntner(source, 'a-mnt'), mntner(source, 'b-mnt')]);
    expect(await keys(index(), source, all)).toEqual(['a-mnt', 'b-mnt']);
    expect((await index().position(source))?.serial).toBe(1n);
    expect(await index().count(source)).toBe(2n);
    const documents = [mntner(source, 'c-mnt', 3n), mntner(source, 'a-mnt', 4n, [])];
    const deletions = [{ source, type: 'mntner', key: 'b-mnt' } as const];
    await index().apply(source, { after: 1n, documents, deletions, serial: 5n });
    expect(await keys(index(), source, all)).toEqual(['c-mnt']);
    expect((await index().position(source))?.serial).toBe(5n);
    expect(await index().count(source)).toBe(2n);
  });

  test('the position has the time of the change, if the batch or rebuild had it', async () => {
    const source = 'INSTANT';
    const batch = { documents: [mntner(source, 'a-mnt')], deletions: [] };
    const reported = async () => {
      const position = await index().position(source);
      return [position?.serial, position?.instant];
    };
    const instants = [1, 2, 3].map((second) => new Date(second * 1000 + 123));
    await index().apply(source, { after: 0n, ...batch, serial: 1n, instant: instants[0] });
    await index().apply(source, { after: 1n, ...batch, serial: 2n, instant: instants[1] });
    await index().apply(source, { after: 0n, ...batch, serial: 1n, instant: instants[0] });
    expect(await reported()).toEqual([2n, instants[1]]);
    const rebuild = await index().beginRebuild(source, { serial: 0n });
    await rebuild.fill(batch.documents);
    await rebuild.finish({ serial: 3n, instant: instants[2] });
    expect(await reported()).toEqual([3n, instants[2]]);
    await index().apply(source, { after: 3n, ...batch, serial: 4n });
    expect(await reported()).toEqual([4n, undefined]);
  });

  test('a batch that was applied already changes nothing', async () => {
    const source = 'REPEAT';
    const first = { after: 0n, documents: [mntner(source, 'a-mnt')], deletions: [], serial: 1n };
    await index().apply(source, first);
    await index().apply(source, first);
    const deletions = [{ source, type: 'mntner', key: 'a-mnt' } as const];
    await index().apply(source, { after: 1n, documents: [], deletions, serial: 2n });
    await index().apply(source, first);
    expect(await keys(index(), source, all)).toEqual([]);
    expect((await index().position(source))?.serial).toBe(2n);
    expect(await index().count(source)).toBe(0n);
  });

  test('a batch that leaves a gap is refused', async () => {
    const source = 'GAP';
    await fill(index(), source, [mntner(source, 'a-mnt')]);
    const late = { after: 3n, documents: [mntner(source, 'b-mnt', 4n)], deletions: [], serial: 4n };
    await expect(index().apply(source, late)).rejects.toMatchObject({ kind: 'conflict' });
    expect(await keys(index(), source, all)).toEqual(['a-mnt']);
    expect((await index().position(source))?.serial).toBe(1n);
  });

  test('an empty batch moves the position and the time it was reached', async () => {
    const source = 'EMPTY';
    const started = Date.now();
    await index().apply(source, { after: 0n, documents: [], deletions: [], serial: 0n });
    expect((await index().position(source))?.serial).toBe(0n);
    await index().apply(source, { after: 0n, documents: [], deletions: [], serial: 7n });
    const position = await index().position(source);
    expect(position?.serial).toBe(7n);
    expect(position!.reached.getTime()).toBeGreaterThanOrEqual(started - 5000);
  });

  test('old search terms of a changed object are removed', async () => {
    const source = 'MOVE';
    const old = ipv4Range('10.0.0.0', '10.0.0.255');
    const zone = document({ source, type: 'domain', key: 'zone', range: old, hosts: ['ns1.example.net'] });
    await fill(index(), source, [zone]);
    const next = { ...zone, hosts: ['dns.example.net'], range: ipv4Range('10.0.1.0', '10.0.1.255') };
    await index().apply(source, { after: 1n, documents: [next], deletions: [], serial: 2n });
    expect(await keys(index(), source, { kind: 'hosts', type: 'domain', prefix: 'ns1' })).toEqual([]);
    expect(await keys(index(), source, { kind: 'hosts', type: 'domain', prefix: 'dns' })).toEqual(['zone']);
    const around = { kind: 'range', type: 'domain', range: old, mode: 'default' } as const;
    expect(await keys(index(), source, around)).toEqual([]);
  });

  test('objects are loaded by key, in the requested order, complete', async () => {
    const source = 'LOAD';
    const tags = [{ id: 'unref', data: '28' }];
    const created = new Date('2020-01-01T00:00:00.000Z');
    const tagged = { ...mntner(source, 'b-mnt', 12345678901n), revision: 7, tags, created };
    await index().apply(source, {
      after: 0n,
      documents: [mntner(source, 'a-mnt'), tagged],
      deletions: [],
      serial: 12345678901n,
    });
    await fill(index(), 'LOAD-OTHER', [mntner('LOAD-OTHER', 'a-mnt')]);
    const ids = [
      { source, type: 'mntner', key: 'b-mnt' },
      { source, type: 'person', key: 'a-mnt' },
      { source: 'LOAD-OTHER', type: 'mntner', key: 'a-mnt' },
      { source: 'NEVER-BUILT', type: 'mntner', key: 'a-mnt' },
      { source, type: 'mntner', key: 'a-mnt' },
      { source, type: 'mntner', key: 'b-mnt' },
    ] as const;
    const loaded = await load(index(), ids);
    expect(await index().known(ids)).toEqual(loaded.map((one) => one !== undefined));
    expect(loaded.map((one) => one && [one.source, one.key])).toEqual([
      [source, 'b-mnt'],
      undefined,
      ['LOAD-OTHER', 'a-mnt'],
      undefined,
      [source, 'a-mnt'],
      [source, 'b-mnt'],
    ]);
    const { source: _, type, key, text, revision, serial, modified } = tagged;
    expect(loaded[0]).toMatchObject({ type, key, text, revision, serial, modified, created, tags });
    expect(loaded[4]?.created).toBeUndefined();
    expect(await index().load([])).toEqual({ objects: [], later: [] });
  });

  test('the index passes its health check', async () => {
    await expect(index().check()).resolves.toBeUndefined();
  });
}
