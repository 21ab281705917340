import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { keepSecret } from './test-logs.js';

/** A forward proxy on this machine. Like squid it has users, and makes tunnels only for https. */
export interface ForwardProxy {
  /** Its URL, with credentials. */
  readonly url: string;
  /** Method and target of each request that has the credentials. */
  readonly requests: readonly string[];
  /** Ports of this machine by HOST:PORT. The proxy refuses other hosts with 403. */
  readonly hosts: Map<string, number>;
  /** What it does with the connection of a request instead of answering. */
  fault: ((connection: Duplex) => void) | undefined;
  /** Number of clients that are connected. */
  connections(): number;
  close(): Promise<void>;
}

/** Starts a proxy with a user of its own. */
export async function startForwardProxy(): Promise<ForwardProxy> {
  const credentials = `user:${randomBytes(12).toString('hex')}`;
  const encoded = Buffer.from(credentials).toString('base64');
  keepSecret(encoded, credentials.slice('user:'.length));
  const requests: string[] = [];
  const clients = new Set<Socket>();
  /** A port of this machine, or the status of a refusal. */
  const portOf = ({ method, url, headers }: IncomingMessage, host: string): number => {
    if (headers['proxy-authorization'] !== `Basic ${encoded}`) return 407;
    requests.push(`${method} ${url}`);
    return proxy.hosts.get(host) ?? 403;
  };
  const server = createServer((message, response) => {
    if (proxy.fault !== undefined) return proxy.fault(message.socket);
    const { host, pathname, search, port } = new URL(message.url!);
    forward(message, response, { port: portOf(message, port ? host : `${host}:80`), path: pathname + search });
  });
  server.on('connect', (message, connection) => {
    if (proxy.fault !== undefined) {
      // Notices when the client closes.
      connection.on('end', () => connection.end()).resume();
      return proxy.fault(connection);
    }
    const port = portOf(message, message.url!);
    if (isStatus(port)) connection.end(`HTTP/1.1 ${port} Refused\r\n\r\nAn internal text`);
    else tunnel(connection, port);
  });
  server.on('connection', (client) => {
    clients.add(client.on('error', () => {}));
    client.on('close', () => clients.delete(client));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy: ForwardProxy = {
    url: `http://${credentials}@127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    hosts: new Map(),
    fault: undefined,
    connections: () => clients.size,
    async close() {
      for (const client of clients) client.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}

function isStatus(port: number): boolean {
  return port < 600;
}

function tunnel(connection: Duplex, port: number): void {
  const server = connect(port, '127.0.0.1');
  connection.write('HTTP/1.1 200 Connection established\r\n\r\n');
  connection.pipe(server).pipe(connection);
  connection.on('close', () => server.destroy());
  server.on('close', () => connection.destroy()).on('error', () => {});
}

function forward(message: IncomingMessage, response: ServerResponse, to: { port: number; path: string }): void {
  if (isStatus(to.port)) {
    response.writeHead(to.port).end('An internal text');
    return;
  }
  const { method, headers } = message;
  const sent = request({ host: '127.0.0.1', ...to, method, headers });
  sent.on('response', (answer) => {
    response.writeHead(answer.statusCode!, answer.headers);
    answer.pipe(response);
  });
  message.pipe(sent);
}
