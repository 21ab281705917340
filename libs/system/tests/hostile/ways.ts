// A separate program that Node.js runs directly: the worst requests that the dialects allow, from many prefixes
// concurrently, until standard input ends. A trusted load balancer (the PROXY protocol) names the address of each
// connection, so every prefix is a client with the limits of production. Prints a line when it has begun, and the number
// of outcomes by way at the end.
import http2 from 'node:http2';
import https from 'node:https';
import net from 'node:net';
import os from 'node:os';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import tls from 'node:tls';

/** The arguments of the program, as JSON. */
interface Orders {
  readonly httpsPort: number;
  readonly whoisPort: number;
  /** The address of the load balancer. */
  readonly from: string;
  /** The addresses of the clients. */
  readonly clients: readonly string[];
  /** Names of ways; every client uses them in turn, with several concurrent requests. */
  readonly ways: readonly string[];
  readonly atOnce: number;
  readonly pauseMs: number;
  /** Key of a set with many members, and of a person with many large versions. */
  readonly set: string;
  readonly person: string;
}

const host = '127.0.0.1';
const orders: Orders = JSON.parse(process.argv[2] ?? '{}');
const outcomes: Record<string, Record<string, number>> = {};
/** How long a client that reads nothing keeps its connection. */
const unreadMs = 4_000;
let isOver = false;

// A real attacker has its own processors.
os.setPriority(os.constants.priority.PRIORITY_LOW);

const interrupt = Buffer.from([0xff, 0xf4, 0xff, 0xfd, 0x06]);
// With the header of the load balancer, it still arrives in one piece of 64 KiB.
const noLine = Buffer.concat([Buffer.alloc(60 * 1024, Buffer.from([0xff, 0x0a])), interrupt]);
const set = encodeURIComponent(orders.set);

type Way = (client: string) => Promise<string>;

const ways: Record<string, Way> = {
  'lines that are not answered': (client) => whois(client, noLine),
  'expansions on port 43': (client) => whois(client, `!!\n${`!i${orders.set},1\n`.repeat(6)}!q\n`),
  'expansions by origin': (client) => get(client, `/TEST/as-set/${set}/expanded?by=origin`),
  'expansions by search': (client) => get(client, `/search/expansion?set=${set}&prefixes`),
  'unread histories': (client) => get(client, `/rdap/history/entity/${orders.person}`, false),
  'unread objects of a mntner': (client) => whois(client, '!oEXAMPLE-MNT\n', false),
  'unread routes': (client) => whois(client, '!r::/0,M\n', false),
  'unread expansions': (client) => whois(client, `!i${orders.set},1\n`, false),
  'unread lines': (client) =>
    get(client, `/v1/whois?q=${turn() % 2 === 0 ? `!i${set},1` : '-i%20mnt-by%20EXAMPLE-MNT'}`, false),
  versions: (client) => get(client, `/TEST/person/${orders.person}/versions/${1 + (turn() % 100)}`),
  differences: (client) => whois(client, `--diff-versions 1:${2 + (turn() % 99)} ${orders.person}\n`),
  'searches of the past': (client) =>
    get(client, '/search?query-string=EXAMPLE-MNT&inverse-attribute=mnt-by&as-of=90&flags=no-referenced'),
  'searches of everything': (client) => get(client, '/search?query-string=0.0.0.0%2F0&flags=all-more'),
  'words and suggestions': (client) => get(client, '/search/words?query-string=example&limit=100'),
  'searches by RDAP': (client) => get(client, '/rdap/entities?fn=p*'),
  'HTTP/2 connections': http2Connection,
};

let turns = 0;
const turn = (): number => turns++;

for (const name of orders.ways) {
  if (ways[name] === undefined) throw new Error(`no way is called "${name}"`);
}
// The first requests use all ways, so that each has begun however slow the machine is.
let first = 0;
for (const client of orders.clients) {
  for (let n = 0; n < orders.atOnce; n++) void repeat(client, first++);
}
console.log('begun');
await text(process.stdin);
isOver = true;
console.log(JSON.stringify(outcomes));
process.exit(0);

async function repeat(client: string, first: number): Promise<void> {
  for (let n = first; !isOver; n++) {
    const name = orders.ways[n % orders.ways.length]!;
    count(name, 'begun');
    count(name, await ways[name]!(client));
    await sleep(orders.pauseMs);
  }
}

function count(name: string, outcome: string): void {
  const ofWay = outcomes[name] ?? {};
  outcomes[name] = { ...ofWay, [outcome]: (ofWay[outcome] ?? 0) + 1 };
}

/** A connection from the load balancer for a client. */
function connectFor(client: string, port: number): net.Socket {
  const socket = net.connect({ host, port, localAddress: orders.from });
  socket.on('error', () => {}).write(`PROXY TCP6 ${client} 2001:db8::1 4711 ${port}\r\n`);
  return socket;
}

/** Sends bytes to port 43, and reads the answer or nothing. */
async function whois(client: string, bytes: string | Buffer, reads = true): Promise<string> {
  const socket = connectFor(client, orders.whoisPort);
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve('closed')));
  socket.write(bytes);
  if (reads) socket.resume();
  else socket.pause();
  const outcome = await Promise.race([closed, sleep(reads ? 30_000 : unreadMs, 'open')]);
  socket.destroy();
  return reads ? outcome : 'unread';
}

/** Sends a request by HTTPS, and reads the answer or only its headers. */
async function get(client: string, path: string, reads = true): Promise<string> {
  const socket = tls.connect({ socket: connectFor(client, orders.httpsPort), rejectUnauthorized: false });
  const answered = new Promise<string>((resolve) => {
    const request = https.get({ path, host, createConnection: () => socket }, (response) => {
      if (!reads) return resolve(String(response.statusCode));
      response.resume();
      response.once('close', () => resolve(String(response.statusCode)));
    });
    request.once('error', () => resolve('closed'));
  });
  const outcome = await Promise.race([answered, sleep(30_000, 'open')]);
  if (!reads) await sleep(unreadMs);
  socket.destroy();
  return outcome;
}

/** A permanent connection with HTTP/2. */
function http2Connection(client: string): Promise<string> {
  const createConnection = () =>
    tls.connect({
      socket: connectFor(client, orders.httpsPort),
      rejectUnauthorized: false,
      ALPNProtocols: ['h2'],
    });
  return new Promise((resolve) => {
    const session = http2.connect(`https://${host}`, { createConnection });
    session.once('error', () => resolve('closed'));
    session.once('close', () => resolve('closed'));
    session.once('remoteSettings', () => resolve('open'));
  });
}
