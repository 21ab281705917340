import { connect, type Socket } from 'node:net';
import { createHistogram } from 'node:perf_hooks';
import { connect as connectTls } from 'node:tls';
import { parentPort } from 'node:worker_threads';
import { createResponseReader } from './response-reader.ts';

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

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** With its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** ASCII. */
  readonly body?: string;
  /** The expected statuses of its responses; absent: those of all requests. */
  readonly statuses?: readonly number[];
}

/** A message to the generator. */
export type Order =
  | {
      readonly kind: 'open';
      readonly target: Target;
      /** Sent in this order, again from the first one after the last one. */
      readonly requests: readonly HttpRequest[];
      /** The expected statuses of responses. */
      readonly statuses: readonly number[];
    }
  | {
      readonly kind: 'run';
      readonly seconds: number;
      /**
       * Requests per second at even intervals; latencies count from the time when a request is due. Absent: each
       * connection sends the next request when the last one is answered.
       */
      readonly perSecond?: number;
    }
  | { readonly kind: 'close' };

export interface RunResult {
  readonly requests: number;
  /** Number of responses with an unexpected status. */
  readonly failures: number;
  /** One of them. */
  readonly failure?: string;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** CPU time of this thread. */
  readonly cpuMs: number;
}

interface Connection {
  readonly socket: Socket;
  onResponse: (status: number) => void;
}

interface Session {
  readonly connections: readonly Connection[];
  readonly requests: readonly Buffer[];
  /** The expected statuses of the responses to each request. */
  readonly statuses: readonly (readonly number[])[];
  next: number;
}

/** Opens all connections before the measurement starts. */
async function open({ target, requests, statuses }: Extract<Order, { kind: 'open' }>): Promise<Session> {
  const connections = await Promise.all(Array.from({ length: target.connections }, () => openConnection(target)));
  return {
    connections,
    requests: requests.map((request) => bytesOf(target, request)),
    statuses: requests.map((request) => request.statuses ?? statuses),
    next: 0,
  };
}

function bytesOf(target: Target, { method, path, headers = {}, body = '' }: HttpRequest): Buffer {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${target.host}:${target.port}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === '' ? [] : [`Content-Length: ${body.length}`]),
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`, 'latin1');
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

async function run(session: Session, seconds: number, perSecond = Number.POSITIVE_INFINITY): Promise<RunResult> {
  const latency = createHistogram({ lowest: 1, highest: 60_000_000 });
  const cpu = process.threadCpuUsage();
  const start = performance.now();
  const stopAt = start + seconds * 1000;
  const tally: { requests: number; failures: number; failure?: string } = { requests: 0, failures: 0 };
  await sendAll();
  const used = process.threadCpuUsage(cpu);
  return {
    ...tally,
    seconds: (performance.now() - start) / 1000,
    p50Ms: latency.percentile(50) / 1000,
    p99Ms: latency.percentile(99) / 1000,
    cpuMs: (used.user + used.system) / 1000,
  };

  /** Resolves when the time is up and every request is answered. */
  function sendAll(): Promise<void> {
    return new Promise((resolve, reject) => {
      const free = [...session.connections];
      const lost = () => reject(new Error('The server closed a connection'));
      for (const { socket } of free) socket.once('close', lost);
      let begun = 0;
      const dueAt = () => start + (begun / perSecond) * 1000;
      const sendDue = () => {
        const now = performance.now();
        while (free.length > 0 && now < stopAt && dueAt() <= now) {
          // The one that rested longest: servers close connections that rest too long.
          send(free.shift()!, Number.isFinite(perSecond) ? dueAt() : now);
          begun += 1;
        }
        if (now < stopAt || free.length < session.connections.length) return;
        clearInterval(clock);
        for (const { socket } of session.connections) socket.off('close', lost);
        resolve();
      };
      const clock = setInterval(sendDue, 1);
      const send = (connection: Connection, due: number) => {
        const number = session.next++ % session.requests.length;
        connection.onResponse = (status) => {
          latency.record(Math.max(1, Math.round((performance.now() - due) * 1000)));
          tally.requests += 1;
          if (!session.statuses[number]!.includes(status)) {
            tally.failures += 1;
            tally.failure ??= `status ${status} of ${String(session.requests[number]).split(' HTTP/1.1')[0]}`;
          }
          free.push(connection);
          sendDue();
        };
        connection.socket.write(session.requests[number]!);
      };
      sendDue();
    });
  }
}

let session: Session | undefined;

async function obey(order: Order): Promise<unknown> {
  switch (order.kind) {
    case 'open':
      session = await open(order);
      return undefined;
    case 'run':
      return await run(session!, order.seconds, order.perSecond);
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
