import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inTransaction, openDatabase, reservePort, together } from '@cadastre/service';
import { isInstalled } from '@cadastre/service/testing';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../src/embedded-postgres.js';
import { eventually } from './harness/eventually.js';

const isHere = isInstalled('pgbouncer');
if (!isHere && process.env.CI) throw new Error('the tests of poolers need pgbouncer');

let directory: string;
let server: EmbeddedPostgres;
let pooler: ChildProcess | undefined;

/** Starts PgBouncer before the server; the URL leads through it. */
async function startPooler(mode: 'session' | 'transaction'): Promise<string> {
  const port = await reservePort();
  const file = join(directory, `${mode}.ini`);
  const { hostname, port: serverPort } = new URL(server.url);
  await writeFile(
    file,
    `[databases]
postgres = host=${hostname} port=${serverPort} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
`,
  );
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  pooler = spawn('pgbouncer', ['-q', ...user, file], { stdio: 'ignore' });
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const database = openDatabase(url);
  await eventually(() => database.check());
  return url;
}

describe.runIf(isHere)('through PgBouncer', () => {
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'cadastre-pgbouncer-'));
    await chmod(directory, 0o755);
    server = await startEmbeddedPostgres({ dataDirectory: join(directory, 'data'), durable: false });
  });
  afterAll(async () => {
    await server?.stop();
    await rm(directory, { recursive: true, force: true });
  });
  afterEach(async () => {
    const ended = new Promise((resolve) => pooler?.once('exit', resolve));
    pooler?.kill('SIGKILL');
    await ended;
  });

  test('that pools by session, everything works that services need', async () => {
    const database = openDatabase(await startPooler('session'));
    const settings = { applicationName: 'pooled', statementTimeoutMs: 5000, sessionSettings: { jit: 'off' } };
    const pool = database.createPool({ ...settings, max: 2, pipeline: true });
    const heard: string[] = [];
    let proofs = 0;
    const listener = database.listen({
      applicationName: 'pooled listener',
      channels: ['news'],
      hear: ({ payload }) => heard.push(payload ?? ''),
      onProof: () => proofs++,
      onFailure: () => {},
      beatMs: 50,
    });
    await listener.start();
    try {
      await expect.poll(() => proofs).toBeGreaterThan(0);
      const shown = "select current_setting('statement_timeout') as timeout, current_setting('jit') as jit";
      // A new connection may take longer than its timeout on a busy machine.
      const found = await eventually(() => pool.query(shown));
      expect(found.rows).toEqual([{ timeout: '5s', jit: 'off' }]);
      const prepared = { name: 'add', text: 'select $1::integer + 1 as sum', values: [1] };
      const sums = await inTransaction(pool, (client) => together(client.query(prepared), client.query(prepared)));
      expect(sums.map(({ rows }) => rows[0].sum)).toEqual([2, 2]);
      await pool.query("notify news, 'heard'");
      await expect.poll(() => heard).toEqual(['heard']);
    } finally {
      await listener.stop();
      await pool.end();
    }
  });

  test('that pools by transaction, a service refuses to work', async () => {
    const database = openDatabase(await startPooler('transaction'));
    const check = () =>
      database.check().then(
        () => undefined,
        (error) => error,
      );
    const refusal = { kind: 'unavailable', cause: { message: expect.stringContaining('by session') } };
    // On a busy machine a connection may reach its timeout before that.
    await eventually(async () => expect(await check()).toMatchObject(refusal));
  });
});
