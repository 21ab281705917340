import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openDatabase, SettingsError, withCa } from '@cadastre/service';
import { type Authority, createAuthority } from '@cadastre/service/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../src/embedded-postgres.js';
import { eventually } from './harness/eventually.js';

let directory: string;
let authority: Authority;
let stranger: Authority;
let server: EmbeddedPostgres;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cadastre-tls-'));
  [authority, stranger] = [createAuthority(), createAuthority()];
  const { tlsCertFile, tlsKeyFile } = authority.certify('database', ['database.example']);
  await chmod(tlsKeyFile, 0o600);
  server = await startEmbeddedPostgres({
    dataDirectory: join(directory, 'data'),
    durable: false,
    settings: { ssl: 'on', ssl_cert_file: tlsCertFile, ssl_key_file: tlsKeyFile },
  });
});

afterAll(async () => {
  await server?.stop();
  authority.remove();
  stranger.remove();
  await rm(directory, { recursive: true, force: true });
});

const caOf = (one: Authority) => join(one.directory, 'ca.crt');

/** Rejects on a busy machine when the connection takes longer than a second. */
async function usesTls(database: Database): Promise<boolean> {
  const pool = database.createPool({ max: 1, applicationName: 'tls', statementTimeoutMs: 60_000 });
  try {
    await database.check();
    return (await pool.query('select ssl from pg_stat_ssl where pid = pg_backend_pid()')).rows[0].ssl;
  } finally {
    await pool.end();
  }
}

test.each<[string, () => string, boolean]>([
  ['without a CA', () => server.url, false],
  ['with the CA as a setting', () => withCa(server.url, caOf(authority)), true],
  [
    'with the CA as a setting that the URL contradicts',
    () => withCa(`${server.url}?sslmode=disable`, caOf(authority)),
    true,
  ],
  ['with the CA in the URL', () => `${server.url}?sslmode=verify-full&sslrootcert=${caOf(authority)}`, true],
])('a connection %s works', async (_, url, tls) => {
  expect(await eventually(() => usesTls(openDatabase(url())))).toBe(tls);
});

test.each<[string, () => string, RegExp]>([
  ['whose certificate another CA signed', () => withCa(server.url, caOf(stranger)), /certificate|signature/],
  [
    'with another name than in its certificate',
    () => withCa(server.url.replace('127.0.0.1', '127.1'), caOf(authority)),
    /altnames/,
  ],
])('a server %s is refused', async (_, url, problem) => {
  await eventually(() => expect(usesTls(openDatabase(url()))).rejects.toThrow(problem));
});

test('a CA file that does not exist stops the service at its start', () => {
  expect(() => withCa(server.url, join(directory, 'none.crt'))).toThrow(SettingsError);
});
