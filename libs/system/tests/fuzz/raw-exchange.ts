import net from 'node:net';
import tls from 'node:tls';
import type { FuzzedRequest } from './described-requests.js';
import { hostileValue } from './hostile-values.js';
import { chance, pick, type Random } from './random.js';

/** The destination of octets. */
export interface RawTarget {
  port: number;
  secure: boolean;
  /** Local address. */
  localAddress: string;
}

/** Sends octets on a new connection; resolves with the response when the other side has closed it. */
export function rawExchange(target: RawTarget, octets: Buffer, deadlineMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const { port, secure, localAddress } = target;
    const to = { host: '127.0.0.1', port, localAddress };
    const socket = secure ? tls.connect({ ...to, rejectUnauthorized: false }) : net.connect(to);
    const chunks: Buffer[] = [];
    const late = setTimeout(() => {
      socket.destroy();
      reject(new Error('no end within the deadline'));
    }, deadlineMs);
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    // The server may cut off such a client.
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(late);
      resolve(Buffer.concat(chunks).toString('latin1'));
    });
    socket.end(octets);
  });
}

/** The statuses in a response. */
export function statusesOf(answer: string): number[] {
  return [...answer.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map((match) => Number(match[1]));
}

/** A request as octets, whatever it contains. */
export function octetsOf({ method, target, headers, body }: FuzzedRequest): Buffer {
  const lines = Object.entries({ host: 'localhost', connection: 'close', ...headers });
  const length = body === undefined ? [] : [`content-length: ${body.length}`];
  const head = [`${method} ${target} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`), ...length];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), body ?? Buffer.alloc(0)]);
}

const brokenHeads = [
  'GET\r\n\r\n',
  'GET / HTTP/9.9\r\n\r\n',
  'GET /search HTTP/1.1\r\n\r\n',
  'GET http://example.net/TEST/person/AE1-TEST HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  'CONNECT example.net:443 HTTP/1.1\r\nHost: x\r\n\r\n',
  'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'POST /TEST/person HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n',
  'POST /TEST/person HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef',
  'POST /TEST/person HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /',
  'POST /TEST/person HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n',
  'POST /TEST/person HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
  'GET /TEST/person/AE1-TEST HTTP/1.1\r\nHost: x\r\n folded\r\n\r\n',
  'GET /TEST/person/AE1-TEST HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade, close\r\n\r\n',
  `GET /TEST/person/AE1-TEST HTTP/1.1\r\nHost: x\r\n${'x: y\r\n'.repeat(3000)}\r\n`,
];

/** Octets that are no request, or hardly one. */
export function brokenOctets(random: Random): Buffer {
  if (chance(random, 60)) return Buffer.from(pick(random, brokenHeads), 'latin1');
  if (chance(random, 50)) return Buffer.from(Array.from({ length: 1 + random(500) }, () => random(256)));
  return Buffer.from(`${hostileValue(random)} ${hostileValue(random)}\r\n${hostileValue(random)}\r\n\r\n`);
}
