import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type MailSink, startMailSink } from '../../../services/events/tests/mail-sink.js';
import { type Cluster, connectsAgain, startCluster } from './harness/cluster.js';
import { eventually } from './harness/eventually.js';
import { personText } from './harness/person-text.js';
import { createClusterClient } from './harness/traffic.js';
import { jsonBody } from './harness/whois.js';

// Kills events and objects while writes cause notifications by mail, and counts the mails.
vi.setConfig({ testTimeout: 400_000, hookTimeout: 400_000 });

const seed = Number(process.env.CADASTRE_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31));
/** Rounds of all kinds in a random order. */
const rounds = Number(process.env.CADASTRE_TEST_ROUNDS ?? 6);

let sink: MailSink;
let cluster: Cluster;
let stopWriters: (() => Promise<void>)[] = [];

beforeAll(async () => {
  sink = await startMailSink();
  cluster = await startCluster({
    count: 1,
    events: true,
    env: {
      CADASTRE_MAIL_URL: sink.url,
      CADASTRE_MAIL_CONNECTIONS: '1', // So at most one mail is neither refused nor settled.
    },
  });
  sink.beforeAccept = ({ to, headers }) => {
    arrivals.push({ address: to, messageId: headers.get('message-id')!, kills: kills.length });
    reported.add(to);
    onMail();
  };
  await confirmAddresses();
  const client = createClusterClient(cluster);
  await eventually(async () => {
    expect([200, 409]).toContain((await client.send('/TEST/mntner', jsonBody(mntner))).status);
  });
  client.close();
  stopWriters = ['KA', 'KB'].map(startWriter);
  console.log(`killed-mail: CADASTRE_TEST_SEED=${seed} CADASTRE_TEST_ROUNDS=${rounds}`);
});

afterAll(async () => {
  await Promise.all(stopWriters.map((stop) => stop()));
  await cluster?.stop();
  await sink?.close();
  for (const line of summary()) console.log(line);
});

/** Its persons notify only their own address. */
const mntner = `mntner:         KILLED-MNT
admin-c:        AE1-TEST
upd-to:         killed@example.net
auth:           SSO alice@example.net
mnt-by:         KILLED-MNT
source:         TEST
`;

/** Confirms the addresses of all later writes: otherwise each would get only a request for confirmation. */
async function confirmAddresses(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'cadastre-addresses-'));
  const file = join(directory, 'addresses.txt');
  const numbers = Array.from({ length: 20_000 }, (_, at) => at + 1);
  await writeFile(file, numbers.map((n) => `ka${n}-test@example.net\nkb${n}-test@example.net\n`).join(''));
  await cluster.cadastre('email', 'confirm', '--file', file);
  await rm(directory, { recursive: true });
}

interface Kind {
  readonly victim: 'events' | 'objects';
  readonly moment: keyof typeof moments;
}

/** When to kill; each function calls `kill` once. */
const moments = {
  'when the mail server has a mail': (kill: () => void) => onNextMail(kill),
  'when the mail server has answered': (kill: () => void) => onNextMail(() => void setImmediate(kill)),
  'when a write was acknowledged': (kill: () => void) => onNextAcknowledgement(kill),
  'at any moment': (kill: () => void, waitMs: number) => onNextMail(() => void setTimeout(kill, waitMs)),
};

const kinds: readonly Kind[] = [
  { victim: 'events', moment: 'when the mail server has a mail' },
  { victim: 'events', moment: 'when the mail server has answered' },
  { victim: 'events', moment: 'at any moment' },
  { victim: 'objects', moment: 'when the mail server has a mail' },
  { victim: 'objects', moment: 'when a write was acknowledged' },
  { victim: 'objects', moment: 'at any moment' },
];
const nameOf = ({ victim, moment }: Kind) => `${victim} is killed ${moment}`;

/** The rounds: all kinds in a random order, repeatedly. */
function plan(): { name: string; kind: Kind; waitMs: number }[] {
  const all = { minLength: kinds.length, maxLength: kinds.length };
  const cycle = fc.tuple(fc.shuffledSubarray([...kinds], all), fc.array(fc.nat(100), all));
  const cycles = fc.sample(cycle, { seed, numRuns: Math.ceil(rounds / kinds.length) });
  const chosen = cycles.flatMap(([order, waits]) =>
    order.map((kind, n) => ({ name: nameOf(kind), kind, waitMs: waits[n]! })),
  );
  return chosen.slice(0, rounds);
}

/** A mail that the mail server received, and the number of kills before. */
interface Arrival {
  readonly address: string;
  readonly messageId: string;
  readonly kills: number;
}
const arrivals: Arrival[] = [];
const reported = new Set<string>();
/** What was killed, in order. */
const kills: Kind[] = [];
/** Addresses in acknowledged writes; and in writes that got no response, or 503. */
const acknowledged = new Set<string>();
const unknown = new Set<string>();
/** Other statuses of writes. */
const unexpected: number[] = [];

let onMail = () => {};
let onAcknowledgement = () => {};
function onNextMail(act: () => void): void {
  onMail = () => {
    onMail = () => {};
    act();
  };
}
function onNextAcknowledgement(act: () => void): void {
  onAcknowledgement = () => {
    onAcknowledgement = () => {};
    act();
  };
}

/** Creates persons, each with an address of its own, until it is stopped; some writes are wrong, or dry runs. */
function startWriter(letters: string): () => Promise<void> {
  const client = createClusterClient(cluster);
  let running = true;
  const write = async (text: string, address: string, query = '') => {
    const notified = text.replace('mnt-by:         EXAMPLE-MNT', `notify: ${address}\nmnt-by: KILLED-MNT`);
    const { status } = await client.send(`/TEST/person${query}`, jsonBody(notified)).catch(() => ({ status: 0 }));
    return status;
  };
  const done = (async () => {
    for (let n = 1; running; n++) {
      const key = `${letters}${n}-TEST`;
      const address = `${key.toLowerCase()}@example.net`;
      const text = personText('Told Person', key);
      if (n % 3 === 0) {
        await write(text.replace('+31', 'none'), `refused-${address}`);
        await write(text, `tried-${address}`, '?dry-run');
      }
      const status = await write(text, address);
      if (status === 200) {
        acknowledged.add(address);
        onAcknowledgement();
      } else if (status === 0 || status === 503) unknown.add(address);
      else unexpected.push(status);
      // Mails are sent one at a time: limits how far they fall behind.
      while (running && untold().length > maxUntold) await delay(50);
    }
  })();
  return async () => {
    running = false;
    await done;
    client.close();
  };
}
const maxUntold = 100;
const untold = () => [...acknowledged].filter((address) => !reported.has(address));

test.each(plan())('$name', async ({ kind, waitMs }) => {
  const replica = cluster.replicas[kind.victim][0]!;
  const clientsConnect = connectsAgain(cluster, replica);
  const { promise: killed, resolve } = Promise.withResolvers<void>();
  moments[kind.moment](() => {
    process.kill(replica.pid(), 'SIGKILL');
    resolve();
  }, waitMs);
  await killed;
  await replica.stop();
  // Until here the mail server may read what the victim had sent: that arrived before the kill.
  kills.push(kind);
  await replica.start();
  await clientsConnect();
  const [writes, mails] = [acknowledged.size, reported.size];
  await eventually(() => {
    expect(acknowledged.size).toBeGreaterThan(writes + 3);
    expect(reported.size).toBeGreaterThan(mails + 3);
  }, 180_000);
});

test('every acknowledged write is notified at least once, and at most once more for each kill; no other write is notified', async () => {
  await Promise.all(stopWriters.map((stop) => stop()));
  // The claims of a killed process expire after 30 seconds.
  const waiting = async () => JSON.parse(await cluster.cadastre('events', 'list', '--state', 'waiting', '--json'));
  await eventually(async () => expect(await waiting()).toEqual([]), 180_000);
  expect(untold()).toEqual([]);
  expect(unexpected).toEqual([]);
  const others = [...reported].filter((address) => !acknowledged.has(address));
  expect(others.filter((address) => !unknown.has(address))).toEqual([]);
  const costly = costlyKills();
  expect(costly).toHaveLength(new Set(costly).size);
  // A second mail is a duplicate: no address has mails with different Message-IDs.
  expect(new Set(arrivals.map(({ messageId }) => messageId)).size).toBe(reported.size);
});

/** For each duplicate mail: the first kill after the first mail arrived. */
function costlyKills(): number[] {
  const last = new Map<string, number>();
  return arrivals.flatMap(({ messageId, kills: before }) => {
    const earlier = last.get(messageId);
    last.set(messageId, before);
    return earlier ?? [];
  });
}

/** For each kind: kills, and duplicate mails. */
function summary(): string[] {
  const ofKind = (all: readonly (Kind | undefined)[], kind: Kind) => all.filter((one) => one === kind).length;
  const costly = costlyKills().map((at) => kills[at]);
  return [
    `${acknowledged.size} writes acknowledged, ${unknown.size} without an answer, ${arrivals.length} mails`,
    ...kinds.map((kind) => `${nameOf(kind)}: ${ofKind(kills, kind)} kills, ${ofKind(costly, kind)} mails again`),
  ];
}
