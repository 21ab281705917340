import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reservePort } from '@cadastre/service';
import { emptyTestDatabase } from '@cadastre/service/testing';
import { startRedis } from '../../../../services/gateway/tests/redis-server.fixture.js';
import { mirrorFile } from '../../../../services/mirror/tests/mirror-programs.fixture.js';
import { eventually } from './eventually.js';
import { runProgram } from './run-program.js';

/** A running IRRd with a database and a Redis of its own. */
export interface Irrd {
  /** Of its whois server, which also answers `-g`. */
  readonly port: number;
  /** The texts of a source as it serves them to the public, sorted. */
  objects(source: string): Promise<string[]>;
  /** Makes a source have these objects; followers see what has changed. */
  replace(source: string, texts: readonly string[]): Promise<void>;
  /** Its log so far. */
  log(): string;
  stop(): Promise<void>;
}

/** Settings by source. The last one should be the one that publishes by NRTM version 4. */
export type IrrdSources = Record<string, Record<string, unknown>>;

interface GraphqlAnswer {
  readonly data: { readonly rpslObjects: readonly { readonly objectText: string }[] };
  readonly errors?: unknown;
}

/** It starts the job of one source each second, in their order, and writes NRTM version 4 whenever no other job is due. */
const hurry = { IRRD_TESTING_FAST_SCHEDULER_OVERRIDE: '1' };

/**
 * Starts IRRd, which `scripts/mirror-clients/install.sh` has installed.
 *
 * @param loaded Dumps of sources that are its own, with the serial 100.
 */
export async function startIrrd(sources: IrrdSources, loaded: Record<string, readonly string[]> = {}): Promise<Irrd> {
  const folder = await mkdtemp(join(tmpdir(), 'cadastre-irrd-'));
  const [database, redis] = await Promise.all([emptyTestDatabase(), startRedis()]);
  const [port, httpPort] = [await reservePort(), await reservePort()];
  const config = join(folder, 'irrd.yaml');
  const keyring = join(folder, 'keyring');
  await mkdir(keyring);
  const http = `http://127.0.0.1:${httpPort}`;
  const irrd = {
    database_url: database.url.replace('postgres:', 'postgresql:'),
    redis_url: redis.url,
    piddir: folder,
    server: {
      http: { interface: '127.0.0.1', port: httpPort, url: http, workers: 1 },
      whois: { interface: '127.0.0.1', port, max_connections: 2 },
    },
    email: { from: 'irrd@example.net', smtp: 'localhost' },
    auth: { gnupg_keyring: keyring },
    access_lists: { local: ['127.0.0.0/8'] },
    rpki: { roa_source: null },
    sources,
  };
  // YAML is a superset of JSON.
  await writeFile(config, JSON.stringify({ irrd }));
  const run = (program: string, ...args: string[]) =>
    runProgram(mirrorFile('irrd', 'bin', program), ['--config', config, ...args], { HOME: folder });
  const writeTexts = async (source: string, texts: readonly string[]) => {
    const file = join(folder, `${source}.rpsl`);
    await writeFile(file, texts.join('\n'));
    return file;
  };

  let child: ChildProcess | undefined;
  let log = '';
  const start = () => {
    // It runs as root only with CI.
    const env = { PATH: process.env.PATH, HOME: folder, TMPDIR: folder, CI: 'true', ...hurry };
    child = spawn(mirrorFile('irrd', 'bin', 'irrd'), ['--config', config, '--foreground'], { env });
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (log += text));
  };
  const stop = async () => {
    if (child?.kill('SIGTERM')) await once(child, 'exit');
    await redis.remove();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  };

  async function objects(source: string): Promise<string[]> {
    const query = `{ rpslObjects(sources: ["${source}"], recordLimit: 100000) { objectText } }`;
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${http}/graphql/`, { method: 'POST', headers, body: JSON.stringify({ query }) });
    const { data, errors } = (await answer.json()) as GraphqlAnswer;
    if (errors) throw new Error(JSON.stringify(errors));
    return data.rpslObjects.map(({ objectText }) => objectText).sort();
  }

  try {
    await run('irrd_database_upgrade');
    for (const [source, texts] of Object.entries(loaded)) {
      await run('irrd_load_database', '--source', source, '--serial', '100', await writeTexts(source, texts));
    }
    start();
    await eventually(() => objects(Object.keys(sources)[0]!), 120_000);
  } catch (error) {
    await stop();
    throw new Error(`IRRd does not start:\n${log}`, { cause: error });
  }
  return {
    port,
    objects,
    replace: async (source, texts) => {
      await run('irrd_update_database', '--source', source, await writeTexts(source, texts));
    },
    log: () => log,
    stop,
  };
}
