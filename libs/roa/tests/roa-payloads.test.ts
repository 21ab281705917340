import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMetrics } from '@cadastre/service';
import { testLogger } from '@cadastre/service/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fetchExport } from '../src/fetch-export.js';
import { createRoaPayloads, type RoaPayloads } from '../src/roa-payloads.js';
import { entry, routeOf } from './testing.js';

const exportOf = (...roas: readonly string[]) => JSON.stringify({ roas: roas.map((roa) => entry(roa)) });
const route = routeOf('192.0.2.0/24 AS64500');

let directory: string;
const running: RoaPayloads[] = [];
const cleaners: (() => unknown)[] = [];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'roa-'));
});

afterEach(async () => {
  for (const payloads of running.splice(0)) await payloads.stop();
  for (const clean of cleaners.splice(0)) await clean();
  await rm(directory, { recursive: true });
});

async function start(source: string, trustAnchors: string[] = ['ripe']) {
  const metrics = createMetrics('test');
  const payloads = createRoaPayloads({
    service: 'search',
    source,
    refreshMs: 20,
    trustAnchors,
    logger: testLogger(),
    metrics,
  });
  running.push(payloads);
  await payloads.start();
  const sample = async (name: string) => {
    const { values } = (await metrics.getSingleMetric(`cadastre_search_roa_${name}`)!.get()) as {
      values: { value: number }[];
    };
    return values[0]?.value;
  };
  return { sample, conflict: () => payloads.checkRoute(route)[0]?.args[3] };
}

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  cleaners.push(
    () => server.closeAllConnections(),
    () => server.close(),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/json`;
}

describe('payloads from a file', () => {
  test('are read repeatedly', async () => {
    const file = join(directory, 'roas.json');
    await writeFile(file, exportOf('AS64501 192.0.2.0/24'));
    const { conflict, sample } = await start(file);
    await expect.poll(conflict).toBe('64501');
    expect([await sample('payloads'), await sample('skipped')]).toEqual([1, 0]);
    await writeFile(file, exportOf('AS64502 192.0.2.0/24', 'AS64502 198.51.100.0/24'));
    await expect.poll(conflict).toBe('64502');
    expect(await sample('payloads')).toBe(2);
  });

  test('are as old as the file', async () => {
    const file = join(directory, 'roas.json');
    await writeFile(file, exportOf('AS64501 192.0.2.0/24'));
    const hourAgo = new Date(Date.now() - 3_600_000);
    await utimes(file, hourAgo, hourAgo);
    const { sample } = await start(file);
    await expect.poll(() => sample('age_seconds')).toBeGreaterThanOrEqual(3_600);
  });

  test('appear when the file does; until then there are no warnings', async () => {
    const file = join(directory, 'roas.json');
    const { conflict, sample } = await start(file);
    expect([conflict(), await sample('payloads'), await sample('age_seconds')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    await writeFile(file, exportOf('AS64501 192.0.2.0/24'));
    await expect.poll(conflict).toBe('64501');
  });

  test('of the named trust anchors only', async () => {
    const file = join(directory, 'roas.json');
    const roas = [entry('AS64501 192.0.2.0/24', 'example'), entry('AS64502 192.0.2.0/24', 'ripe')];
    await writeFile(file, JSON.stringify({ roas }));
    await expect.poll((await start(file)).conflict).toBe('64502');
    await expect.poll((await start(file, [])).conflict).toBe('64501');
  });
});

describe('payloads from a URL', () => {
  test.each<[string, RequestListener]>([
    ['an error', (_, response) => response.writeHead(503).end()],
    ['an empty list', (_, response) => response.end('{"roas":[]}')],
    ['a list of other things', (_, response) => response.end('{"roas":[{"asn":1}]}')],
    ['half an answer', (_, response) => response.writeHead(200).write('{"roas":[', () => response.destroy())],
    ['another document', (_, response) => response.end('<html>')],
    ['a redirection', (_, response) => response.writeHead(302, { location: '/other' }).end()],
  ])('stay after %s', async (_, fail) => {
    let failures = 0;
    let isFailing = false;
    const url = await serve((request, response) => {
      if (!isFailing) return void response.end(exportOf('AS64501 192.0.2.0/24'));
      failures++;
      fail(request, response);
    });
    const { conflict, sample } = await start(url);
    await expect.poll(conflict).toBe('64501');
    isFailing = true;
    await expect.poll(() => failures).toBeGreaterThan(1);
    expect([conflict(), await sample('payloads')]).toEqual(['64501', 1]);
  });

  test('are as old as the server says', async () => {
    const made = new Date(Date.UTC(2026, 0, 1));
    const url = await serve((_, response) => response.setHeader('last-modified', made.toUTCString()).end('{}'));
    expect(await fetchExport(url, 10, AbortSignal.timeout(60_000))).toEqual({ text: '{}', made });
  });

  test('are refused when they are too large, from the network and from a file', async () => {
    const text = 'x'.repeat(1001);
    const file = join(directory, 'large.json');
    await writeFile(file, text);
    const url = await serve((_, response) => response.end(text));
    for (const source of [url, file]) {
      await expect(fetchExport(source, 1000, AbortSignal.timeout(60_000))).rejects.toThrow('larger than 1000 bytes');
      expect((await fetchExport(source, 1001, AbortSignal.timeout(60_000))).text).toBe(text);
    }
  });

  test('delay neither the deadline nor the stop of the service', async () => {
    const url = await serve((_, response) => response.writeHead(200).write('{'));
    await expect(fetchExport(url, 1000, AbortSignal.timeout(50))).rejects.toThrow();
    await start(url);
  });

  test('must not have credentials in the URL', async () => {
    const fetching = fetchExport('https://user:word@validator.example.net/', 1000, AbortSignal.timeout(60_000));
    await expect(fetching).rejects.toThrow('must not hold credentials');
  });
});
