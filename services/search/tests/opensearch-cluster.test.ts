import { setTimeout as delay } from 'node:timers/promises';
import { reservePort, ServiceError } from '@cadastre/service';
import { isSkipped } from '@cadastre/service/testing';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { assemble } from '../../../scripts/opensearch/assemble.mjs';
import { missingPrograms, type OpenSearchServer, startServer } from '../../../scripts/opensearch/server.mjs';
import { createRegistry } from './registry.js';
import { type Replica, startReplicaOf } from './replica.js';
import { collect, noRequest } from './searching.js';

const variable = 'CADASTRE_TEST_OPENSEARCH_NODES';
const missing = process.env[variable] ? missingPrograms() : [`${variable}=1: it takes five minutes`];

/** OpenSearch removes a node that hangs after three checks of 10 s. */
const removalMs = 120_000;
const names = ['n1', 'n2', 'n3'];

async function startNodes(): Promise<OpenSearchServer[]> {
  const ports = await Promise.all(
    names.map(async () => ({ http: await reservePort(), transport: await reservePort() })),
  );
  const installed = await assemble();
  return Promise.all(
    names.map((name, at) =>
      startServer(installed, {
        heapMb: 256,
        settings: {
          'node.name': name,
          'http.port': ports[at]!.http,
          'transport.port': ports[at]!.transport,
          'discovery.seed_hosts': ports.map(({ transport }) => `127.0.0.1:${transport}`),
          'cluster.initial_cluster_manager_nodes': names,
        },
      }),
    ),
  );
}

/** What clients of search have seen since the last `take`. */
interface Seen {
  searches: number;
  writes: number;
  failures: string[];
  longestSearch: number;
  /** From a write until a search has found it. */
  longestWrite: number;
}

describe.skipIf(isSkipped('three nodes of OpenSearch', missing, { isOptional: true }))('three nodes', () => {
  const registry = createRegistry(['TEST', 'OTHER-GRS']);
  const put = (key: string) => registry.put(`mntner: ${key}\nmnt-by: ROOT-MNT\nsource: TEST\n`);
  const count = 2_000;
  const nothing = { searches: 0, writes: 0, failures: [], longestSearch: 0, longestWrite: 0 };
  let seen: Seen = structuredClone(nothing);
  const written: string[] = [];
  let isOver = false;
  let nodes: OpenSearchServer[];
  let replica: Replica;
  let clients: Promise<void>[];

  async function find(key: string, minSerial: bigint, deadlineMs: number): Promise<void> {
    const pages = await collect(replica.client.search({ ...noRequest, query: key, minSerial }, { deadlineMs }));
    expect(pages.flatMap(({ objects }) => objects).map(({ object }) => object!.key)).toEqual([key]);
  }

  /** Search waits 30 s for the index to reach a serial; while a node hangs, that may take longer. */
  async function untilFound(key: string, minSerial: bigint): Promise<void> {
    const isLate = (error: unknown) => error instanceof ServiceError && error.message.includes('has not reached');
    await find(key, minSerial, removalMs).catch((error) => {
      if (!isLate(error)) throw error;
      return untilFound(key, minSerial);
    });
  }

  async function timed(action: () => Promise<void>): Promise<number> {
    const start = performance.now();
    await action().catch((error) => seen.failures.push(`${Date.now()} ${error}`));
    return performance.now() - start;
  }

  async function searchOn(): Promise<void> {
    for (let n = 0; !isOver; n = (n + 1) % count) {
      const took = await timed(() => find(`M${n}-MNT`, 0n, 5_000));
      seen.longestSearch = Math.max(seen.longestSearch, took);
      seen.searches++;
      await delay(5); // Gives OpenSearch time on the processors.
    }
  }

  async function writeOn(): Promise<void> {
    while (!isOver) {
      const key = `W${written.length}-MNT`;
      const serial = put(key);
      const took = await timed(() => untilFound(key, serial));
      written.push(key);
      seen.longestWrite = Math.max(seen.longestWrite, took);
      seen.writes++;
      await delay(20);
    }
  }

  /** Resolves when clients have searched and written more. */
  async function more(): Promise<void> {
    const { searches, writes } = seen;
    await expect.poll(() => seen.searches, { timeout: removalMs }).toBeGreaterThan(searches + 200);
    await expect.poll(() => seen.writes, { timeout: removalMs }).toBeGreaterThan(writes + 5);
  }

  async function ask(path: string, node = 0): Promise<string> {
    const response = await fetch(`${nodes[node]!.url}${path}`, { signal: AbortSignal.timeout(5_000) });
    return (await response.text()).trim();
  }

  const whole = () => ask('/_cat/health?h=status,node.total').catch(String);

  async function holderOf(role: 'manager' | 'primary'): Promise<number> {
    const name =
      role === 'manager'
        ? await ask('/_cat/cluster_manager?h=node')
        : /^p (\S+)$/m.exec(await ask('/_cat/shards/*.test?h=prirep,node'))![1]!;
    return names.indexOf(name);
  }

  beforeAll(async () => {
    nodes = await startNodes();
    for (let n = 0; n < count; n++) put(`M${n}-MNT`);
    replica = await startReplicaOf(registry, {
      CADASTRE_SEARCH_ADAPTER: 'opensearch',
      CADASTRE_SEARCH_OPENSEARCH_URL: nodes.map(({ url }) => url).join(','),
    });
    await vi.waitFor(async () => expect(await replica.ready()).toBe('200 ready'), removalMs);
    await vi.waitFor(async () => expect(await whole()).toBe('green 3'), removalMs);
    clients = [searchOn(), searchOn(), writeOn()];
  }, 600_000);

  afterAll(async () => {
    isOver = true;
    await Promise.all(clients ?? []);
    await replica?.stop();
    await Promise.all((nodes ?? []).map((node) => node.stop()));
  }, 300_000);

  test.each([
    ['killed', 'manager'],
    ['killed', 'primary'],
    ['hung', 'primary'],
    ['hung', 'manager'],
  ] as const)(
    'no search fails, and nothing is missing, while a node is %s: the %s',
    async (how, role) => {
      await more();
      const broken = await holderOf(role);
      const node = nodes[broken]!;
      seen = structuredClone(nothing);
      if (how === 'killed') await node.kill();
      else process.kill(node.pid(), 'SIGSTOP');
      const others = () => ask('/_cluster/health?local=true&filter_path=number_of_nodes', (broken + 1) % names.length);
      await expect.poll(others, { timeout: removalMs }).toBe('{"number_of_nodes":2}');
      await more();
      if (how === 'killed') await node.start();
      else process.kill(node.pid(), 'SIGCONT');
      await expect.poll(whole, { timeout: removalMs }).toBe('green 3');
      await more();
      console.info(
        `${role} ${how}: the longest of ${seen.searches} searches took ${Math.round(seen.longestSearch)} ms, ` +
          `the longest of ${seen.writes} writes was found after ${Math.round(seen.longestWrite)} ms`,
      );
      expect(seen.failures).toEqual([]);
      for (const key of written) await find(key, 0n, 5_000);
      const { sources } = await replica.client.getIndexStatus({});
      expect(sources[0]!.objects).toBeGreaterThanOrEqual(BigInt(count + written.length));
    },
    600_000,
  );
});
