// A separate program that Node.js runs directly: performs all attacks concurrently, from another address than that of
// the tests, at a limited rate, until standard input ends. Prints a line when it begins, and the number of responses by
// attack and status at the end.
import http2 from 'node:http2';
import https from 'node:https';
import net from 'node:net';
import os from 'node:os';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import tls from 'node:tls';
import { gzipSync } from 'node:zlib';

/** The arguments of the program, as JSON. */
interface Orders {
  readonly httpsPort: number;
  readonly httpPort: number;
  readonly localAddress: string;
  /** JSON document of a key-cert that is expensive to read. */
  readonly keyCert: string;
  /** Seconds after which it ends in any case. */
  readonly longestSeconds: number;
}

const host = '127.0.0.1';
const orders: Orders = JSON.parse(process.argv[2] ?? '{}');
const statuses: Record<string, Record<string, number>> = {};
let isOver = false;

// A real attacker has its own processors.
os.setPriority(os.constants.priority.PRIORITY_LOW);

const searches = (): Promise<string> =>
  request('GET', '/search?query-string=0.0.0.0%2F1&flags=all-more&flags=no-referenced', { accept: 'application/json' });
const bigBody = JSON.stringify({ objects: { object: 'x'.repeat(4_900_000) } });
const hostileXml = gzipSync(
  `<whois-resources><a ${Array.from({ length: 370_000 }, (_, n) => `a${n}=""`).join(' ')}/></whois-resources>`,
);
const lineEnds = gzipSync(`a${'\n'.repeat(5_000_000)}b`);
const looksSigned = `-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n${'a\n'.repeat(480_000)}-----BEGIN PGP SIGNATURE-----\n\niQ==\n-----END PGP SIGNATURE-----\n`;
const network = `inetnum: 192.0.2.0 - 192.0.2.255
netname: HOSTILE-NET
country: NL
admin-c: AE1-TEST
tech-c: AE1-TEST
status: ASSIGNED PA
mnt-by: EXAMPLE-MNT
source: TEST
`;
const json = { 'content-type': 'application/json' };
const plain = { 'content-type': 'text/plain' };
const path = '/TEST/inetnum/192.0.2.0%20-%20192.0.2.255';

/** Each attack: number of concurrent clients, pause between two requests, and the request. */
const attacks: Record<string, readonly [times: number, pauseMs: number, attack: () => Promise<string>]> = {
  searches: [16, 20, searches],
  'big bodies': [8, 50, () => request('POST', '/TEST/person', json, bigBody)],
  'key-certs': [4, 50, () => request('POST', '/TEST/key-cert', json, orders.keyCert)],
  'XML attributes': [
    4,
    50,
    () =>
      request('POST', '/TEST/person', { 'content-type': 'application/xml', 'content-encoding': 'gzip' }, hostileXml),
  ],
  'line ends': [4, 50, () => request('POST', '/syncupdates/TEST', { ...plain, 'content-encoding': 'gzip' }, lineEnds)],
  'unsigned texts': [4, 50, () => request('POST', '/syncupdates/TEST', plain, looksSigned)],
  'updates of trees': [8, 20, () => request('POST', '/syncupdates/TEST', plain, network)],
  'deletions of trees': [4, 20, () => request('DELETE', path, {})],
  'sign-ins': [4, 20, () => request('GET', '/session/login', {})],
  'wrong keys': [2, 50, () => request('GET', '/TEST/person/AE1-TEST', { authorization: 'Basic QUFBQTpCQkJC' })],
  connections: [1, 0, idleConnections],
  'HTTP/2 resets': [2, 20, resetStreams],
};

console.log('begun');
await Promise.all([
  ...Object.entries(attacks).flatMap(([name, [times, pauseMs, attack]]) =>
    Array.from({ length: times }, () => repeat(name, pauseMs, attack)),
  ),
  untilOver(),
]);
console.log(JSON.stringify(statuses));
process.exit(0);

async function untilOver(): Promise<void> {
  await Promise.race([text(process.stdin), sleep(orders.longestSeconds * 1000)]);
  isOver = true;
}

async function repeat(name: string, pauseMs: number, attack: () => Promise<string>): Promise<void> {
  statuses[name] ??= {};
  const counts = statuses[name];
  while (!isOver) {
    const status = await Promise.race([attack(), untilIsOver()]);
    counts[status] = (counts[status] ?? 0) + 1;
    await sleep(pauseMs);
  }
}

async function untilIsOver(): Promise<string> {
  while (!isOver) await sleep(100);
  return 'not answered';
}

function request(
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: string | Buffer,
): Promise<string> {
  const { httpsPort: port, localAddress } = orders;
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const options = { host, port, localAddress, method, path, headers: { ...headers, ...length } };
  return new Promise((resolve) => {
    const sent = https.request({ ...options, agent: false, rejectUnauthorized: false }, (response) => {
      response.resume();
      response.once('close', () => resolve(String(response.statusCode)));
    });
    sent.once('error', () => resolve('closed'));
    sent.end(body);
  });
}

/** Connections that send nothing, to both ports; closed after three seconds. */
async function idleConnections(): Promise<string> {
  const { httpsPort, httpPort, localAddress } = orders;
  const ports = Array.from({ length: 300 }, (_, n) => (n % 3 === 0 ? httpPort : httpsPort));
  const sockets = ports.map((port) => net.connect({ host, port, localAddress }).on('error', () => {}));
  await sleep(3000);
  for (const socket of sockets) socket.destroy();
  return 'closed';
}

/** A hundred requests on one HTTP/2 connection, each cancelled immediately. */
function resetStreams(): Promise<string> {
  const { httpsPort, localAddress } = orders;
  return new Promise((resolve) => {
    const options = { host, port: httpsPort, localAddress, rejectUnauthorized: false, ALPNProtocols: ['h2'] };
    const session = http2.connect(`https://${host}`, { createConnection: () => tls.connect(options) });
    session.once('error', () => resolve('closed'));
    session.once('close', () => resolve('closed'));
    session.once('connect', () => {
      for (let n = 0; n < 100; n++) {
        const stream = session.request({ ':path': '/search?query-string=0.0.0.0%2F1&flags=all-more' });
        stream.on('error', () => {});
        stream.close(http2.constants.NGHTTP2_CANCEL);
      }
      session.close();
    });
  });
}
