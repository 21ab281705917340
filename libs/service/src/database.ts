import pg from 'pg';
import { ServiceError } from './errors.js';
import { keepTryingService, pause } from './keep-trying.js';
import { parseTimestamp } from './parse-timestamp.js';
import type { Service } from './service.js';

export interface PoolOptions {
  /** Maximum number of connections. */
  max: number;
  /** Shown in pg_stat_activity. */
  applicationName: string;
  /** The server cancels a statement that runs longer; waiting for a connection has the same limit. 0 means no limit. */
  statementTimeoutMs: number;
  /** Further settings of each session, for example `{ search_path: 'auth' }`. */
  sessionSettings?: Record<string, string>;
  /**
   * Whether transactions of this pool lock what others need: then the server ends a transaction whose next statement
   * does not arrive within 1.5 s, because its process hangs. Default false.
   */
  locks?: boolean;
  /**
   * Sends a statement without waiting for the answers to earlier ones of its connection, so that several need one round
   * trip. Such a pool cannot do COPY. Default false.
   */
  pipeline?: boolean;
}

export interface ListenOptions {
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  readonly channels: readonly string[];
  hear(notification: pg.Notification): void;
  /** Runs on each new connection before it listens; throws when there is nothing to listen to. */
  prepare?(client: pg.ClientBase): Promise<void>;
  /** Called after each answered heartbeat: no notification is missing. */
  onProof?(): void;
  /** Called when notifications may be lost from now on. */
  onLoss?(): void;
  /** Called for each failed attempt to listen. */
  onFailure(error: unknown): void;
  /** Time between two heartbeats; default 1 s. */
  readonly beatMs?: number | undefined;
}

/**
 * A database whose address leads to its primary. After a failover the address leads to another server: then all
 * connections to the former server are closed, so that nothing reads stale data there.
 */
export interface Database {
  /** Makes a pool; it connects on first use. 64-bit integers become bigint. */
  createPool(options: PoolOptions): pg.Pool;
  /**
   * Receives notifications on its own connection, from `start` to `stop`. Notifications are lost while it reconnects.
   */
  listen(options: ListenOptions): Service;
  /**
   * Opens a new connection, because only that reaches the server behind the address now, and closes the connections to
   * other servers. Throws when there is no primary. A server without a free connection passes.
   */
  check(): Promise<void>;
}

/** Margin after the server's own limit; after that the network must have failed. */
const networkMarginMs = 500;

/** Timeout of a new connection, and of its first statement. */
const connectTimeoutMs = 1000;

/** After this time without use a connection closes. Opening one costs both sides milliseconds of computing. */
const idleTimeoutMs = 60_000;

/** Maximum wait for an answer to a heartbeat; after that the connection counts as broken. */
const beatTimeoutMs = 2000;

const settingsOfAll = {
  /** How soon the server notices that the client of a running statement closed its connection. */
  client_connection_check_interval: '500ms',
  /** Marks a session as used. */
  'cadastre.session': 'taken',
};

/** How soon the server ends a transaction of a process that hangs. */
const lockRelease = { idle_in_transaction_session_timeout: '1500ms' };

/** SQLSTATE of a server without room for a further connection. */
const tooManyConnections = '53300';

/** Makes the pools and listeners of one database; each connects on first use. */
export function openDatabase(url: string): Database {
  return open(url, 'primary');
}

/**
 * Makes pools for reads of servers that follow the primary. Each connection leads to one of them, or to the primary:
 * each transaction must check what its server has.
 */
export function openReplica(url: string): Pick<Database, 'createPool'> {
  return open(url, 'any server');
}

function open(url: string, leadsTo: 'primary' | 'any server'): Database {
  const connections = new Map<pg.Client, string>();

  /**
   * Applies the settings of a new session. Throws when the session is useless; closes the connections to other servers.
   */
  async function arrive(client: pg.Client, settings: Record<string, string>): Promise<void> {
    try {
      const { server, standby, taken } = await greet(client, settings);
      if (taken) throw noUse('a connection pooler shares sessions of the database: it must pool by session');
      if (leadsTo === 'any server') return;
      if (standby) throw noUse('the address of the database leads to a standby');
      connections.set(client, server);
      client.once('end', () => connections.delete(client));
      for (const [other, itsServer] of connections) if (itsServer !== server) close(other);
    } catch (error) {
      close(client);
      throw error;
    }
  }

  function createPool(o: PoolOptions): pg.Pool {
    const limit = o.statementTimeoutMs;
    const settings = {
      ...settingsOfAll,
      ...(o.locks ? lockRelease : {}),
      statement_timeout: String(limit),
      ...o.sessionSettings,
    };
    const pool = new pg.Pool({
      connectionString: url,
      max: o.max,
      application_name: o.applicationName,
      Client: o.pipeline ? PipeliningClient : ConnectingInTime,
      connectionTimeoutMillis: limit,
      idleTimeoutMillis: idleTimeoutMs,
      keepAlive: true,
      pipeline: o.pipeline ?? false,
      types: { getTypeParser },
      ...(limit > 0 ? { query_timeout: limit + networkMarginMs } : {}),
      onConnect: (client) => arrive(client as pg.Client, settings),
    });
    // The pool replaces a broken connection, and its query rejects; without a listener the process would also exit. The
    // pool listens only to idle connections, so those in use get their own listener.
    pool.on('error', () => {});
    pool.on('connect', (client) => client.on('error', () => {}));
    return pool;
  }

  /** Opens a connection for `work`. Rejects as soon as the connection ends, even while `work` waits for something else. */
  async function onOwnConnection<T>(applicationName: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new ConnectingInTime({
      connectionString: url,
      application_name: applicationName,
      keepAlive: true,
      query_timeout: beatTimeoutMs,
    });
    const ended = Promise.withResolvers<never>();
    ended.promise.catch(() => {}); // It may come before the race below, or after it.
    client.on('error', ended.reject);
    client.on('end', () => ended.reject(new Error('Connection terminated')));
    try {
      await client.connect();
      await arrive(client, settingsOfAll);
      // Only once: each race with a promise that stays pending keeps some memory until it settles.
      const result = await Promise.race([work(client), ended.promise]);
      client.end().catch(() => {});
      return result;
    } catch (error) {
      close(client);
      throw error;
    }
  }

  return {
    createPool,
    listen: (o) => listener(o, onOwnConnection),
    async check() {
      try {
        await onOwnConnection('cadastre check', async () => {});
      } catch (error) {
        if ((error as { code?: string }).code !== tooManyConnections) throw error;
      }
    },
  };
}

/**
 * Sends a heartbeat every `beatMs`: PostgreSQL sends notifications before the answer to a later statement, so each
 * answer proves that none is missing.
 */
function listener(
  o: ListenOptions,
  onOwnConnection: (applicationName: string, work: (client: pg.Client) => Promise<void>) => Promise<void>,
): Service {
  return keepTryingService({
    async work(signal, succeeded) {
      try {
        await onOwnConnection(o.applicationName, async (client) => {
          client.on('notification', o.hear);
          await o.prepare?.(client);
          for (const channel of o.channels) await client.query(`listen ${channel}`);
          while (!signal.aborted) {
            await client.query('select 1');
            succeeded();
            o.onProof?.();
            await pause(o.beatMs ?? 1000, signal);
          }
        });
      } finally {
        o.onLoss?.();
      }
    },
    onFailure: (error) => o.onFailure(error),
  });
}

function noUse(reason: string): ServiceError {
  return new ServiceError('unavailable', 'Service temporarily unavailable', { cause: new Error(reason) });
}

interface Greeting {
  readonly standby: boolean;
  /** Identifies the server, and changes when it restarts. */
  readonly server: string;
  /** Whether another connection used this session before. */
  readonly taken: boolean;
}

/**
 * Applies settings to the session in the same round trip that identifies the server: a connection pooler would refuse
 * them as startup parameters. No two servers started in the same microsecond.
 */
async function greet(client: pg.Client, settings: Record<string, string>): Promise<Greeting> {
  const { rows } = await client.query<Greeting>({
    text: `select pg_is_in_recovery() as standby, pg_postmaster_start_time()::text as server,
             coalesce(current_setting('cadastre.session', true), '') <> '' as taken,
             (select count(set_config(name, value, false)) from json_each_text($1) as setting (name, value))`,
    values: [JSON.stringify(settings)],
    query_timeout: connectTimeoutMs,
  } as pg.QueryConfig);
  return rows[0]!;
}

/** Immediately: a client that pipelines would wait for its statements. */
function close(client: pg.Client): void {
  client.connection.stream.destroy();
}

/** The pool passes its timeout for waiting on a busy connection to each client; this class sets the connect timeout. */
class ConnectingInTime extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super({ ...config, connectionTimeoutMillis: connectTimeoutMs });
  }
}

/** Sends all statements of one turn of the event loop with one system call. */
class PipeliningClient extends ConnectingInTime {
  private corked = false;

  override query(...statement: unknown[]): never {
    if (!this.corked) this.corkTurn();
    return super.query(...(statement as [string])) as never;
  }

  private corkTurn(): void {
    const { stream } = this.connection;
    this.corked = true;
    stream.cork();
    process.nextTick(() => {
      this.corked = false;
      stream.uncork();
    });
  }
}

const getTypeParser = ((oid: number, format?: 'text' | 'binary') => {
  if (format !== 'binary' && oid === pg.types.builtins.INT8) return BigInt;
  if (format !== 'binary' && oid === pg.types.builtins.TIMESTAMPTZ) return parseTimestamp;
  return pg.types.getTypeParser(oid, format as 'text');
}) as typeof pg.types.getTypeParser;
