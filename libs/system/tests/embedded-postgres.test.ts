import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sourceArguments } from '@cadastre/service/testing';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../src/embedded-postgres.js';

let directory: string;
let running: EmbeddedPostgres | undefined;

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'cadastre-embedded-'));
});

afterEach(async () => {
  await running?.stop();
  await rm(directory, { recursive: true, force: true });
});

const start = async (more: { socketDirectory?: string } = {}) => {
  running = await startEmbeddedPostgres({ dataDirectory: path.join(directory, 'data'), durable: true, ...more });
  return running;
};

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

test('keeps committed data when the server is killed', async () => {
  const first = await start();
  await query(first.url, "create table kept as select 'yes' as answer");
  process.kill(first.pid, 'SIGKILL');
  await first.exited;
  const second = await start();
  expect(await query(second.url, 'select answer from kept')).toEqual([{ answer: 'yes' }]);
});

test('listens only on a unix socket, given a directory', async () => {
  const { url } = await start({ socketDirectory: path.join(directory, 'socket') });
  expect(await query(url, 'show listen_addresses')).toEqual([{ listen_addresses: '' }]);
});

test('starts over a lock whose process number belongs to another program', async () => {
  const first = await start();
  await first.stop();
  await writeFile(path.join(directory, 'data', 'postmaster.pid'), `${process.pid}\n`);
  const second = await start();
  expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('starts after an interrupted initialisation', async () => {
  const first = startEmbeddedPostgres({ dataDirectory: path.join(directory, 'data.new', 'inner'), durable: true });
  await (await first).stop();
  const second = await start();
  expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('the server ends with its parent, even a killed one, and starts again at once', async () => {
  const script = `
    import { startEmbeddedPostgres } from ${JSON.stringify(new URL('../src/embedded-postgres.ts', import.meta.url).href)};
    const server = await startEmbeddedPostgres({ dataDirectory: ${JSON.stringify(path.join(directory, 'data'))}, durable: true });
    console.log(server.pid);`;
  const parent = spawn(process.execPath, [...sourceArguments, '--input-type=module', '-e', script]);
  const [line] = await once(parent.stdout, 'data');
  const pid = Number(line);
  parent.kill('SIGKILL');
  const again = await start();
  expect(again.pid).not.toBe(pid);
  expect(await query(again.url, 'select 1 as one')).toEqual([{ one: 1 }]);
});
