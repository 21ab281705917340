import { execFile } from 'node:child_process';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { reservePort } from '@cadastre/service';
import pg from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/embedded-postgres.js';
import { eventually } from './eventually.js';
import { descendants } from './processes.js';

/**
 * How a primary is lost: its processes are killed; it hangs, like a node without power; or it is cut off from the
 * cluster but still responds on its open connections.
 */
export type Loss = 'killed' | 'hung' | 'cut off';

/** A primary with a synchronous standby, behind one address that leads to the primary. */
export interface ReplicatedPostgres {
  /** Superuser URL of the address. */
  readonly url: string;
  /** Loses the primary, promotes its standby and leads the address there. The new primary has no standby yet. */
  failOver(loss: Loss): Promise<void>;
  /** Gives the primary a new synchronous standby, unless it has one. */
  ensureStandby(): Promise<void>;
  /** Holds the standby until the returned function runs: commits wait for it. */
  holdStandby(): () => void;
  /** Adds a standby that commits do not wait for. It follows the present primary only. */
  addReadReplica(): Promise<ReadReplica>;
  /** A statement in the database of the registry on the primary, as superuser. */
  query(text: string): Promise<pg.QueryResult>;
  stop(): Promise<void>;
}

/** A standby for reads. */
export interface ReadReplica {
  readonly port: number;
  /** A statement in the database of the registry, as superuser. */
  query(text: string): Promise<pg.QueryResult>;
  /** Stops its processes until the returned function runs. */
  hang(): () => void;
  /** Kills its processes and removes its data. */
  discard(): Promise<void>;
}

interface Server extends EmbeddedPostgres {
  readonly dataDirectory: string;
  readonly port: number;
}

const run = promisify(execFile);

/** WAL that a standby may still need, so that no replication slot is necessary. */
const serverSettings = { max_connections: '200', wal_keep_size: '256MB', max_wal_size: '256MB', hot_standby: 'on' };

/** A killed server preserves what it acknowledged; nothing waits for the disk. */
const durability = { fsync: 'off', synchronous_commit: 'on', full_page_writes: 'on' };

export async function startReplicatedPostgres(directory: string): Promise<ReplicatedPostgres> {
  let started = 0;
  const start = async (dataDirectory: string, settings: Record<string, string> = {}): Promise<Server> => {
    const port = await reservePort();
    const server = await startEmbeddedPostgres({
      ...{ dataDirectory, port, durable: false },
      settings: { ...serverSettings, ...durability, ...settings },
    });
    return { ...server, dataDirectory, port };
  };
  const nextDirectory = () => join(directory, `server-${++started}`);
  const address = await openAddress();
  const lost: Server[] = [];
  const readReplicas = new Set<Server>();
  let primary = await start(nextDirectory());
  let standby: Server | undefined;
  address.leadTo(primary.port);

  async function startStandby(name: string, settings: Record<string, string> = {}): Promise<Server> {
    const dataDirectory = nextDirectory();
    await copyData(primary, dataDirectory);
    const source = `host=127.0.0.1 port=${primary.port} user=postgres application_name=${name}`;
    return start(dataDirectory, { primary_conninfo: source, ...settings });
  }

  async function addReadReplica(): Promise<ReadReplica> {
    // Its copied configuration names a standby; after its promotion its commits would wait for that.
    const server = await startStandby('read', { synchronous_standby_names: '' });
    readReplicas.add(server);
    return {
      port: server.port,
      query: (text) => queryOn(server, text, 'cadastre'),
      hang: () => hang(server),
      discard: async () => {
        if (readReplicas.delete(server)) await discard(server);
      },
    };
  }

  async function ensureStandby(): Promise<void> {
    if (standby !== undefined) return;
    await Promise.all(lost.splice(0).map(discard));
    standby = await startStandby('standby');
    await queryOn(primary, "alter system set synchronous_standby_names = 'standby'");
    await queryOn(primary, 'select pg_reload_conf()');
    await eventually(async () => {
      const { rows } = await queryOn(primary, "select 1 from pg_stat_replication where sync_state = 'sync'");
      if (rows.length !== 1) throw new Error('the standby does not follow');
    }, 180_000);
  }

  async function failOver(loss: Loss): Promise<void> {
    if (standby === undefined) throw new Error('there is no standby');
    address.leadTo(undefined);
    if (loss === 'killed') process.kill(primary.pid, 'SIGKILL');
    if (loss === 'hung') hang(primary);
    await queryOn(standby, 'select pg_promote()');
    lost.push(primary);
    primary = standby;
    standby = undefined;
    address.leadTo(primary.port);
  }

  function holdStandby(): () => void {
    if (standby === undefined) throw new Error('there is no standby');
    return hang(standby);
  }

  async function stop(): Promise<void> {
    address.close();
    await Promise.all([...lost, ...readReplicas, primary, standby].map((server) => server && discard(server)));
    await rm(directory, { recursive: true, force: true });
  }

  await ensureStandby();
  return {
    url: `postgres://postgres@127.0.0.1:${address.port}/postgres`,
    failOver,
    ensureStandby,
    holdStandby,
    addReadReplica,
    query: (text) => queryOn(primary, text, 'cadastre'),
    stop,
  };
}

/** The server and its backends; possibly none of a killed one. */
function pidsOf({ pid }: EmbeddedPostgres): number[] {
  return [pid, ...descendants(pid).map((child) => child.pid)];
}

/** Stops all processes of a server; the returned function continues them. */
function hang(server: EmbeddedPostgres): () => void {
  const pids = pidsOf(server);
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  return () => {
    for (const pid of pids) process.kill(pid, 'SIGCONT');
  };
}

async function discard(server: Server): Promise<void> {
  for (const pid of pidsOf(server)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
  await server.exited;
  await rm(server.dataDirectory, { recursive: true, force: true });
}

async function queryOn({ url }: EmbeddedPostgres, text: string, database = 'postgres'): Promise<pg.QueryResult> {
  const client = new pg.Client(url.replace(/postgres$/, database));
  client.on('error', () => {});
  await client.connect();
  return client.query(text).finally(() => client.end());
}

/** A base backup; the WAL since its start comes from the primary. */
async function copyData(primary: Server, target: string): Promise<void> {
  const client = new pg.Client(primary.url);
  await client.connect();
  try {
    await client.query("select pg_backup_start('standby', true)");
    const left = new Set(['pg_wal', 'postmaster.pid', 'postmaster.opts', 'standby.signal', 'backup_label.old']);
    const entries = (await readdir(primary.dataDirectory)).filter((name) => !left.has(name));
    await run('mkdir', ['-m', '700', '-p', target, join(target, 'pg_wal')]);
    await run('cp', ['-a', '-t', target, ...entries.map((name) => join(primary.dataDirectory, name))]);
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    await writeFile(join(target, 'backup_label'), rows[0]!.labelfile);
    await writeFile(join(target, 'standby.signal'), '');
    await run('chown', ['-R', `--reference=${join(primary.dataDirectory, 'PG_VERSION')}`, target]);
  } finally {
    await client.end();
  }
}

/**
 * A TCP address that leads to one server at a time, like a service of Kubernetes: connections stay with the server that
 * they reached, and without a server the address refuses new ones.
 */
export async function openAddress() {
  const sockets = new Set<Socket>();
  let target: number | undefined;
  const server = createServer((near) => {
    if (target === undefined) return near.destroy();
    const far = connect(target, '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.setNoDelay(true);
      one.pipe(other);
      one.on('error', () => {});
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as { port: number }).port,
    leadTo: (port: number | undefined) => {
      target = port;
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
