import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOpenSearchIndex } from '../src/opensearch/opensearch-index.js';
import { add, document, fill, keys, load } from './contract/documents.js';

const all = { kind: 'terms', type: 'mntner', anyOf: [['mnt-by=root-mnt']], order: 'key' } as const;

function mntner(source: string, key: string, text = `mntner: ${key}\n`) {
  return document({ source, type: 'mntner', key, text, terms: ['mnt-by=root-mnt'] });
}

/** Forwards requests, but closes the connection of those that `refuses` selects. */
async function startProxy(target: string, refuses: (incoming: IncomingMessage) => boolean): Promise<Server> {
  const proxy = createServer((incoming, outgoing) => {
    if (refuses(incoming)) return incoming.destroy();
    const { method, headers, url } = incoming;
    const passed = request(new URL(url!, target), { method: method!, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(outgoing);
    });
    return incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return proxy;
}

/** Failures of requests half-way, and concurrent writers. */
export function failureContract(url: () => string): void {
  const prefix = `test-${randomUUID()}`;
  let isCut = false;
  let proxy: Server;
  let index: ReturnType<typeof createOpenSearchIndex>;
  let other: typeof index;
  beforeAll(async () => {
    const isPosition = ({ method, url }: IncomingMessage) => method === 'PUT' && url!.includes('/_doc/position');
    proxy = await startProxy(url(), (incoming) => isCut && isPosition(incoming));
    index = createOpenSearchIndex({ url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, prefix });
    // Continues or discards a rebuild that others work on.
    other = createOpenSearchIndex({ url: url(), prefix, leaseMs: 0 });
  });
  afterAll(async () => {
    await index.stop();
    await other.stop();
    proxy.closeAllConnections();
    await new Promise((resolve) => proxy.close(resolve));
    await fetch(`${url()}/${prefix}.*`, { method: 'DELETE' });
  });

  test('repeating a batch applies it after a failure before its position', async () => {
    const source = 'CUT';
    await fill(index, source, [mntner(source, 'a-mnt'), mntner(source, 'b-mnt')]);
    const deletions = [{ source, type: 'mntner', key: 'a-mnt' } as const];
    const batch = { after: 1n, documents: [mntner(source, 'c-mnt')], deletions, serial: 3n };
    isCut = true;
    await expect(index.apply(source, batch)).rejects.toMatchObject({ kind: 'unavailable' });
    isCut = false;
    expect((await index.position(source))?.serial).toBe(1n);
    await index.apply(source, batch);
    expect(await keys(index, source, all)).toEqual(['b-mnt', 'c-mnt']);
    expect((await index.position(source))?.serial).toBe(3n);
  });

  test('when two processes write concurrently, the newer state stays', async () => {
    const source = 'RACE';
    await fill(index, source, [mntner(source, 'a-mnt')]);
    const batch = (serial: bigint) => ({
      after: 1n,
      documents: [mntner(source, 'a-mnt', `mntner: a-mnt\nremarks: ${serial}\n`)],
      deletions: [],
      serial,
    });
    await Promise.allSettled([index.apply(source, batch(9n)), other.apply(source, batch(5n))]);
    await index.apply(source, batch(9n));
    expect((await other.position(source))?.serial).toBe(9n);
    const [loaded] = await load(other, [{ source, type: 'mntner', key: 'a-mnt' }]);
    expect(loaded?.text).toContain('remarks: 9');
  });

  test('the rebuild of another process discards an unfinished one, which then cannot finish', async () => {
    const source = 'TAKEOVER';
    await fill(index, source, [mntner(source, 'a-mnt')]);
    const left = await index.beginRebuild(source, { serial: 0n });
    await add(left, [mntner(source, 'b-mnt')]);
    const rebuild = await other.beginRebuild(source, { serial: 0n }, { fresh: true });
    await add(rebuild, [mntner(source, 'c-mnt')]);
    await add(left, [mntner(source, 'd-mnt')]);
    await expect(left.finish({ serial: 2n })).rejects.toMatchObject({ kind: 'conflict' });
    await left.abandon();
    expect(await rebuild.finish({ serial: 2n })).toBe(true);
    expect(await keys(index, source, all)).toEqual(['c-mnt']);
    const indexes = (await (await fetch(`${url()}/${prefix}.*.takeover.*/_alias`)).json()) as object;
    expect(Object.keys(indexes)).toHaveLength(1);
  });

  test('batches continue after a rebuild that added objects more than once', async () => {
    const source = 'REWRITTEN';
    const rebuild = await index.beginRebuild(source, { serial: 0n });
    for (const text of ['1', '2', '3']) await add(rebuild, [mntner(source, 'a-mnt', text)]);
    await rebuild.finish({ serial: 1n });
    await index.apply(source, { after: 1n, documents: [mntner(source, 'a-mnt', '4')], deletions: [], serial: 2n });
    expect((await load(index, [{ source, type: 'mntner', key: 'a-mnt' }]))[0]?.text).toBe('4');
  });

  test('keys that are longer than an identifier of OpenSearch may be', async () => {
    const source = 'LONG';
    const long = ['x', 'y'].map((end) => 'as-'.padEnd(900, 'a') + end);
    await fill(index, source, [mntner(source, long[1]!), mntner(source, long[0]!)]);
    expect(await keys(index, source, all)).toEqual(long);
    const loaded = await load(
      index,
      long.map((key) => ({ source, type: 'mntner', key })),
    );
    expect(loaded.map((one) => one?.key)).toEqual(long);
  });

  test('an impossible source name is refused', async () => {
    for (const name of ['', 'A.B', '../x', '*', 'a,b']) {
      await expect(index.position(name), name).rejects.toMatchObject({ kind: 'invalid' });
    }
  });

  test('an unreachable cluster is unavailable', async () => {
    const away = createOpenSearchIndex({ url: 'http://127.0.0.1:1' });
    await expect(away.check()).rejects.toMatchObject({ kind: 'unavailable' });
    await expect(keys(away, 'ANY', all)).rejects.toMatchObject({ kind: 'unavailable' });
    await away.stop();
  });
}
