import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { indexDirectory } from './index-directory.js';
import { createRegistry } from './registry.js';
import { type Replica, startReplicaOf } from './replica.js';
import { collect, noRequest } from './searching.js';

/** An update of replicas from their own indexes to OpenSearch. */
export function switchContract(url: () => string): void {
  test('replicas with the old adapter serve until the first one with the new adapter has caught up', async () => {
    const directory = await indexDirectory();
    const prefix = `test-${randomUUID().slice(0, 8)}`;
    const registry = createRegistry(['TEST', 'OTHER-GRS']);
    for (let number = 0; number < 1_200; number++) put(`M${number}-MNT`);
    function put(name: string): bigint {
      return registry.put(`mntner: ${name}\nmnt-by: ROOT-MNT\nsource: TEST\n`);
    }
    const replicas: Replica[] = [];
    const start = async (store: Record<string, string>) => {
      replicas.push(await startReplicaOf(registry, store));
      return replicas.at(-1)!;
    };
    const opensearch = {
      CADASTRE_SEARCH_ADAPTER: 'opensearch',
      CADASTRE_SEARCH_OPENSEARCH_URL: url(),
      CADASTRE_SEARCH_OPENSEARCH_PREFIX: prefix,
    };
    const names = async ({ client }: Replica, minSerial: bigint) => {
      const pages = await collect(client.search({ ...noRequest, query: 'NEW-MNT', minSerial }, { deadlineMs: 60_000 }));
      return pages.flatMap(({ objects }) => objects).map(({ object }) => object!.key);
    };
    try {
      const old = await start({ CADASTRE_DATA_DIR: directory.path });
      await expect.poll(old.ready).toBe('200 ready');
      const pause = registry.pauseExport(1);
      const next = await start(opensearch);
      await pause.reached;
      expect(await next.ready()).toBe('503 not ready: complete');
      expect(await names(old, put('NEW-MNT'))).toEqual(['NEW-MNT']);
      // The new replica stops half-way; its successor continues with the second page.
      await next.stop();
      replicas.pop();
      pause.release();
      const successor = await start(opensearch);
      await expect.poll(successor.ready).toBe('200 ready');
      expect(registry.exportedAfter().filter((position) => position !== undefined)).toHaveLength(1);
      expect(await names(successor, 0n)).toEqual(['NEW-MNT']);
      const { sources } = await successor.client.getIndexStatus({});
      expect(sources[0]).toMatchObject({ objects: 1_201n, behind: 0n, rebuilding: false });
      expect(await old.ready()).toBe('200 ready');
    } finally {
      for (const replica of replicas) await replica.stop();
      await fetch(`${url()}/${prefix}.*`, { method: 'DELETE' });
      await directory.remove();
    }
  }, 240_000);
}
