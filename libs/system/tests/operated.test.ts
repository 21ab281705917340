import { createHash, randomBytes } from 'node:crypto';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createLogger, migrate } from '@cadastre/service';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startEmbeddedPostgres } from '../src/embedded-postgres.js';
import { migrationsOf } from '../src/plans.js';
import { backUp } from './harness/back-up.js';
import { type Cluster, startCluster } from './harness/cluster.js';
import { personText } from './harness/person-text.js';
import { runProgram } from './harness/run-program.js';
import { jsonBody } from './harness/whois.js';

// A registry as in production: TCP and mutual TLS, and a system of the operator with a token.
vi.setConfig({ testTimeout: 400_000, hookTimeout: 400_000 });

const example = fileURLToPath(new URL('../../../proto/examples/follow-changes.ts', import.meta.url));
const token = randomBytes(32).toString('hex');
let directory: string;
let cluster: Cluster;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cadastre-operated-'));
  const tokensFile = join(directory, 'tokens');
  await writeFile(tokensFile, `billing ${createHash('sha256').update(token).digest('hex')}\n`);
  cluster = await startCluster({
    count: 1,
    env: {
      CADASTRE_RPC_TOKENS_FILE: tokensFile,
      CADASTRE_RPC_ALLOW:
        'billing=cadastre.objects.v1.ObjectReaderService/BatchLookup,billing=cadastre.objects.v1.ChangeFeedService',
    },
  });
});
afterAll(async () => {
  await cluster?.stop();
  await rm(directory, { recursive: true, force: true });
});

/** How often a creation is sent that is answered 503, each time with a new key: a stopped machine loses connections. */
const maxTries = 3;

let made = 0;
/** Creates a person over REST; returns its key. */
async function create(): Promise<string> {
  for (let tries = 1; ; tries++) {
    const key = `OP${++made}-TEST`;
    const status = await createAs(key);
    if (status === 200) return key;
    if (status !== 503 || tries === maxTries) throw new Error(`${key}: ${status}`);
  }
}

/** Returns the status of the response. */
function createAs(key: string): Promise<number> {
  const [host, port] = cluster.gateways[0]!.split(':');
  const headers = { 'content-type': 'application/json', authorization: `Basic ${cluster.credential}` };
  return new Promise((resolve, reject) => {
    const options = { host, port, path: '/TEST/person', method: 'POST', headers, rejectUnauthorized: false };
    const request = https.request(options, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.once('error', reject);
    request.end(jsonBody(personText('Operated Person', key)));
  });
}

/** Creates persons until stopped; returns the acknowledged ones, and rejects when a creation fails. */
function startWriter(): { stop(): Promise<string[]> } {
  const keys: string[] = [];
  let running = true;
  const done = (async () => {
    while (running) keys.push(await create());
  })();
  done.catch(() => {});
  return {
    async stop() {
      running = false;
      await done;
      return keys;
    },
  };
}

const clientEnvironment = () => ({
  ADDRESS: cluster.addressOf('objects'),
  CA: join(cluster.authority.directory, 'ca.crt'),
  TOKEN: token,
});

test('the example client of docs/use/grpc.md reads an object and follows changes, by its token', async () => {
  const writer = startWriter();
  const output = runProgram(process.execPath, [example], { ...clientEnvironment(), CHANGES: '2' });
  expect(await output.finally(() => writer.stop())).toMatch(
    /^mntner: +EXAMPLE-MNT[\s\S]*\nfollowing TEST from serial \d+\n\d+ person OP\d+-TEST\n\d+ person OP\d+-TEST\n$/,
  );
});

test('without the right token it is unknown', async () => {
  const stranger = runProgram(process.execPath, [example], { ...clientEnvironment(), TOKEN: 'guessed' });
  await expect(stranger).rejects.toThrow(/UNAUTHENTICATED/);
});

async function query<T extends pg.QueryResultRow>(url: string, sql: string): Promise<T[]> {
  const client = new pg.Client(url);
  await client.connect();
  return client
    .query<T>(sql)
    .then(({ rows }) => rows)
    .finally(() => client.end());
}

test('the schema advances one step while the old version serves', async () => {
  const next = join(directory, 'migrations');
  await cp(migrationsOf('objects'), pathToFileURL(next), { recursive: true });
  await writeFile(join(next, '9999-one-step-on.sql'), 'alter table object add column one_step_on text;\n');
  const writer = startWriter();
  await create();
  const logger = createLogger({ service: 'migrate', level: 'silent' });
  await migrate({ url: cluster.databases.objects, directory: pathToFileURL(next), logger });
  await create();
  expect(await writer.stop()).not.toEqual([]);
  expect(await query(cluster.databases.objects, 'select one_step_on from object limit 1')).toHaveLength(1);
});

test('a backup of the running database has everything that was acknowledged before', async () => {
  const before = await create();
  const writer = startWriter();
  const copy = join(directory, 'restored');
  await backUp(cluster.postgresUrl, copy);
  await writer.stop();
  const restored = await startEmbeddedPostgres({ dataDirectory: copy, durable: false });
  const url = new URL(restored.url);
  url.pathname = '/cadastre';
  try {
    const keys = await query<{ key: string }>(
      url.href,
      `select key from objects.object where lower(key) = lower('${before}')`,
    );
    expect(keys).toHaveLength(1);
    // Serials have no gaps: every one up to the newest exists.
    const [serials] = await query<{ newest: string; count: string }>(
      url.href,
      'select max(serial)::text as newest, count(*)::text as count from objects.change',
    );
    expect(serials?.count).toBe(serials?.newest);
    expect(await query(url.href, 'select 1 from auth.api_key')).toHaveLength(1);
  } finally {
    await restored.stop();
  }
});
