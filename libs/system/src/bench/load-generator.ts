import { connect, type Socket } from 'node:net';
import { createHistogram } from 'node:perf_hooks';
import { connect as connectTls } from 'node:tls';
import { parentPort } from 'node:worker_threads';
import { createResponseReader } from './response-reader.js';

/** The destination of requests. */
export interface Target {
  readonly host: string;
  readonly port: number;
  /** Certificate to trust; absent for plain HTTP. */
  readonly certificate?: string;
  /** Local address of the connections; absent for the default. */
  readonly localAddress?: string;
  readonly connections: number;
}

/** A message to the generator. */
export type Order =
  | { readonly kind: 'open'; readonly target: Target; readonly paths: readonly string[]; readonly from: number }
  | { readonly kind: 'run'; readonly seconds: number }
  | { readonly kind: 'close' };

/** The result of one run. */
export interface RunResult {
  readonly requests: number;
  /** Number of responses with a status other than 200. */
  readonly failures: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** CPU time of this thread. */
  readonly cpuMs: number;
}

/** A connection that sends the next request as soon as the response to the last one is complete. */
interface Connection {
  readonly socket: Socket;
  onResponse: (status: number) => void;
}

interface Session {
  readonly connections: readonly Connection[];
  readonly requests: readonly Buffer[];
  /** Number of the next request. */
  next: number;
}

/** Opens all connections before the measurement starts. */
async function open(target: Target, paths: readonly string[], next: number): Promise<Session> {
  const requests = paths.map((path) =>
    Buffer.from(`GET ${path} HTTP/1.1\r\nHost: ${target.host}:${target.port}\r\n\r\n`),
  );
  const connections = await Promise.all(Array.from({ length: target.connections }, () => openConnection(target)));
  return { connections, requests, next };
}

function openConnection({ certificate, connections: _, ...to }: Target): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const socket = certificate ? connectTls({ ...to, ca: certificate, servername: 'localhost' }) : connect(to);
    socket.setNoDelay(true);
    const connection: Connection = { socket, onResponse: () => undefined };
    socket.on(
      'data',
      createResponseReader((status) => connection.onResponse(status)),
    );
    socket.once('error', reject);
    socket.once(certificate ? 'secureConnect' : 'connect', () => resolve(connection));
  });
}

async function run(session: Session, seconds: number): Promise<RunResult> {
  const latency = createHistogram({ lowest: 1, highest: 60_000_000 });
  const cpu = process.threadCpuUsage();
  const start = performance.now();
  const stopAt = start + seconds * 1000;
  const tally = { requests: 0, failures: 0 };
  await Promise.all(session.connections.map(drive));
  const used = process.threadCpuUsage(cpu);
  return {
    ...tally,
    seconds: (performance.now() - start) / 1000,
    p50Ms: latency.percentile(50) / 1000,
    p99Ms: latency.percentile(99) / 1000,
    cpuMs: (used.user + used.system) / 1000,
  };

  function drive(connection: Connection): Promise<void> {
    return new Promise((resolve, reject) => {
      let sent = 0;
      const send = () => {
        sent = performance.now();
        connection.socket.write(session.requests[session.next++ % session.requests.length]!);
      };
      const lost = () => reject(new Error('The server closed a connection'));
      connection.socket.once('close', lost);
      connection.onResponse = (status) => {
        const now = performance.now();
        latency.record(Math.max(1, Math.round((now - sent) * 1000)));
        tally.requests += 1;
        tally.failures += status === 200 ? 0 : 1;
        if (now < stopAt) {
          send();
        } else {
          connection.socket.off('close', lost);
          resolve();
        }
      };
      send();
    });
  }
}

let session: Session | undefined;

async function obey(order: Order): Promise<unknown> {
  switch (order.kind) {
    case 'open':
      session = await open(order.target, order.paths, order.from);
      return undefined;
    case 'run':
      return await run(session!, order.seconds);
    case 'close':
      for (const { socket } of session?.connections ?? []) socket.destroy();
      return undefined;
  }
}

parentPort?.on('message', (order: Order) => {
  obey(order).then(
    (result) => parentPort?.postMessage({ result }),
    (error: Error) => parentPort?.postMessage({ failure: error.message }),
  );
});
