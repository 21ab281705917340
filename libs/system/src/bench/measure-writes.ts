import { readFile } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import { createHistogram } from 'node:perf_hooks';
import pg from 'pg';
import { cpuUsEach, measureCpu } from './cpu-use.js';
import { indexedTable } from './measure-copy.js';
import type { TestedSystem } from './tested-system.js';

const maintainer = 'EXAMPLE-MNT';
const source = 'TEST';
const personPath = `/${source}/person`;

/** Writes per second of several clients, each of which waits for its response. */
export interface WriteResult {
  readonly kind: 'create' | 'update' | 'bare insert';
  readonly clients: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Microseconds of CPU for each write, by group of processes. */
  readonly cpuUs: Record<string, number>;
  readonly foreignPercent: number;
}

/** Makes the n-th write of a series. */
type Write = (n: number) => Promise<void>;

/**
 * Creates and then updates persons over HTTPS with an API key. For comparison, inserts rows of objects into a table
 * with the same columns and indexes, one durable transaction each: the limit of the database.
 */
export async function measureWrites(
  system: TestedSystem,
  clients: readonly number[],
  seconds: number,
): Promise<WriteResult[]> {
  const results: WriteResult[] = [];
  let created = 0;
  for (const count of clients) {
    const agent = new Agent({
      keepAlive: true,
      maxSockets: count,
      ca: await readFile(system.addresses.certificate),
      servername: 'localhost',
    });
    const first = created;
    const create = await repeat(system, count, seconds, (n) =>
      send(system, agent, 'POST', personPath, first + n, 'created'),
    );
    created += create.writes;
    const update = await repeat(system, count, seconds, (n) => {
      const number = first + (n % create.writes);
      return send(system, agent, 'PUT', `${personPath}/${handle(number)}`, number, `updated, write ${n}`);
    });
    agent.destroy();
    results.push({ kind: 'create', clients: count, ...create }, { kind: 'update', clients: count, ...update });
    results.push({ kind: 'bare insert', clients: count, ...(await measureInserts(system, count, seconds)) });
  }
  return results;
}

type Series = Omit<WriteResult, 'kind' | 'clients'> & { readonly writes: number };

/** Writes until the time is up or `most` writes are done. */
async function repeat(
  system: TestedSystem,
  clients: number,
  seconds: number,
  write: Write,
  most = Number.POSITIVE_INFINITY,
): Promise<Series> {
  const latency = createHistogram({ lowest: 1, highest: 60_000_000 });
  let writes = 0;
  const start = performance.now();
  const client = async () => {
    for (let now = start; now < start + seconds * 1000 && writes < most; ) {
      const before = performance.now();
      await write(writes++);
      now = performance.now();
      latency.record(Math.max(1, Math.round((now - before) * 1000)));
    }
  };
  const all = () => Promise.all(Array.from({ length: clients }, client));
  const { cpu } = await measureCpu(system.pid, all);
  return {
    writes,
    perSecond: (writes * 1000) / (performance.now() - start),
    p50Ms: latency.percentile(50) / 1000,
    p99Ms: latency.percentile(99) / 1000,
    cpuUs: cpuUsEach(cpu, writes),
    foreignPercent: cpu.foreignPercent,
  };
}

/** Two letters with which no generated person has such a high number. */
function handle(n: number): string {
  return `BW${100_000 + n}-${source}`;
}

function send(
  system: TestedSystem,
  agent: Agent,
  method: 'POST' | 'PUT',
  path: string,
  n: number,
  remark: string,
): Promise<void> {
  const body = JSON.stringify(personBody(n, remark));
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    authorization: `Basic ${system.credential}`,
    'content-length': Buffer.byteLength(body),
  };
  return new Promise((resolve, reject) => {
    const call = request(new URL(path, system.addresses.https), { method, headers, agent }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.once('end', () => {
        if (response.statusCode === 200) resolve();
        else reject(new Error(`${method} ${path} returned status ${response.statusCode}: ${text}`));
      });
    });
    call.once('error', reject).end(body);
  });
}

function personBody(n: number, remark: string): unknown {
  const attribute = [
    { name: 'person', value: 'Bench Writer' },
    { name: 'address', value: 'Example Street 1' },
    { name: 'phone', value: '+31 20 555 0100' },
    { name: 'e-mail', value: 'bench@example.net' },
    { name: 'nic-hdl', value: handle(n) },
    { name: 'remarks', value: remark },
    { name: 'mnt-by', value: maintainer },
    { name: 'source', value: source },
  ];
  return { objects: { object: [{ type: 'person', source: { id: source }, attributes: { attribute } }] } };
}

/** Inserts copies of stored rows into another table. */
async function measureInserts(system: TestedSystem, clients: number, seconds: number): Promise<Series> {
  const pool = new pg.Pool({ connectionString: system.databaseUrl, max: clients });
  try {
    await pool.query(`truncate ${indexedTable}`);
    const { rows } = await pool.query<{ source_id: number; type: number; key: string }>(
      'select source_id, type, key from objects.object limit 100000',
    );
    const text = `insert into ${indexedTable}
      select * from objects.object where source_id = $1 and type = $2 and key = $3`;
    const insert: Write = async (n) => {
      const { source_id, type, key } = rows[n]!;
      await pool.query({ name: 'insert', text, values: [source_id, type, key] });
    };
    return await repeat(system, clients, seconds, insert, rows.length);
  } finally {
    await pool.end();
  }
}
