import { once } from 'node:events';
import https from 'node:https';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { probe } from '../harness/load-balancer.js';
import { type ClusterClient, createClusterClient } from '../harness/traffic.js';
import type { RunRecord } from './record.js';
import { copies, type Registries } from './registries.js';

/** A part of the load that runs until it is stopped. */
export interface Actor {
  stop(): Promise<void>;
}

/** Repeats a step with a pause, until it is stopped. A step that rejects is noted. */
export function every(ms: number, record: RunRecord, step: (n: number) => Promise<unknown>): Actor {
  const stopping = new AbortController();
  const done = (async () => {
    for (let n = 0; !stopping.signal.aborted; n++) {
      const next = performance.now() + ms;
      await step(n).catch((error) => record.note(`unexpected: ${String((error as Error).stack ?? error)}`));
      await delay(Math.max(0, next - performance.now()), undefined, { signal: stopping.signal }).catch(() => {});
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await done;
    },
  };
}

/** The requests over HTTPS: their kind, their number per second, paths, and what the answer contains. */
const questions: readonly (readonly [kind: string, perSecond: number, paths: readonly string[], contains: string])[] = [
  ['REST lookup', 3, ['/TEST/mntner/EXAMPLE-MNT', '/TEST/aut-num/AS64500?unfiltered'], 'EXAMPLE-MNT'],
  [
    'REST search',
    2,
    ['/search?query-string=EXAMPLE-MNT', '/search?query-string=EXAMPLE-MNT&inverse-attribute=mnt-by&limit=20'],
    'EXAMPLE-MNT',
  ],
  ['REST abuse contact', 0.5, ['/abuse-contact/192.0.2.1', '/abuse-contact/AS64500'], 'example.net'],
  ['REST versions', 0.5, ['/TEST/aut-num/AS64500/versions', '/TEST/aut-num/AS64500/versions/1'], 'AS64500'],
  ['RDAP', 2, ['/rdap/ip/192.0.2.77', '/rdap/autnum/64500', '/rdap/entity/EXAMPLE-MNT'], 'rdap_level_0'],
  ['web page', 1, ['/', '/docs'], '<html'],
  ['NRTM notification', 0.5, ['/nrtmv4/TEST/update-notification-file.jose'], 'ey'],
];

/** The same with a body, which changes nothing: its media type comes last. */
const posts: readonly (readonly [kind: string, path: string, body: string, contains: string, type: string])[] = [
  ['bulk lookup', '/bulk-lookup', '192.0.2.77\nAS64500\n', 'EXAMPLE-NET', 'text/plain'],
  ['syncupdates', '/syncupdates/TEST', 'HELP=yes', 'syncupdates', 'application/x-www-form-urlencoded'],
];

/** The same for port 43. */
const commands: readonly (readonly [kind: string, perSecond: number, lines: readonly string[], contains: string])[] = [
  ['port 43, RIPE style', 2, ['-r 192.0.2.77', '-T mntner EXAMPLE-MNT'], 'EXAMPLE-MNT'],
  ['port 43, IRRd style', 2, ['!gAS64500', '!iAS64500:AS-CUSTOMERS,1'], 'A'],
];

/** Reads in all dialects, at a constant rate. */
export function startReaders({ main, follower, balancer }: Registries, record: RunRecord): Actor[] {
  const overHttps = questions.map(([kind, perSecond, paths, contains]) => {
    const client = balancer.createClient();
    const headers: Record<string, string> = kind.startsWith('REST') ? {} : { accept: 'text/html, */*;q=0.9' };
    const actor = every(1000 / perSecond, record, (n) =>
      record.request(kind, async () => {
        const path = paths[n % paths.length]!;
        const { status, text } = await client.send(path, undefined, { headers });
        expectAnswer(path, status, text, contains);
      }),
    );
    return closes(actor, client);
  });
  const withBody = posts.map(([kind, path, body, contains, type]) => {
    const client = balancer.createClient();
    const actor = every(2_000, record, () =>
      record.request(kind, async () => {
        const { status, text } = await client.send(path, body, {
          headers: { 'content-type': type },
          isAnonymous: true,
        });
        expectAnswer(path, status, text, contains);
      }),
    );
    return closes(actor, client);
  });
  const port43 = main.replicas.whois.map((replica) => replica.port43!);
  let ready = port43;
  const probes = every(1000, record, async () => {
    const found = await Promise.all(main.replicas.whois.map((replica) => probe(replica, 1_000)));
    const those = port43.filter((_, n) => found[n] === 'ready');
    // On a busy machine both probes may be late.
    ready = those.length > 0 ? those : port43;
  });
  const onPort43 = commands.map(([kind, perSecond, lines, contains]) =>
    every(1000 / perSecond, record, (n) =>
      record.request(kind, async () => {
        const line = lines[n % lines.length]!;
        expectAnswer(line, 200, await askReady(ready, n, `${line}\n`), contains);
      }),
    ),
  );
  /** Reads what exists only after some time: a copy has nothing until its first load, and there is no dump at first. */
  const onceThere = (kind: string, client: ClusterClient, path: string, contains: string): Actor => {
    let isThere = false;
    const actor = every(1000, record, async () => {
      isThere ||= (await client.send(path).catch(() => undefined))?.status === 200;
      if (!isThere) return;
      await record.request(kind, async () => {
        const { status, text } = await client.send(path);
        expectAnswer(path, status, text, contains);
      });
    });
    return closes(actor, client);
  };
  const later = [
    ...Object.values(copies).map((copy) =>
      onceThere('lookup in the follower', createClusterClient(follower), `/${copy}/mntner/EXAMPLE-MNT`, 'EXAMPLE-MNT'),
    ),
    onceThere('dump', balancer.createClient(), '/dumps/test/TEST.CURRENTSERIAL', '\n'),
  ];
  const exports = every(2_000, record, () =>
    record.request('gRPC export', async () => {
      const texts = await main.textsOf('TEST');
      expectAnswer('export', 200, texts.join('\n'), 'EXAMPLE-MNT');
    }),
  );
  return [...overHttps, ...withBody, ...onPort43, probes, ...later, exports];
}

/** Also closes its client when it stops. */
const closes = (actor: Actor, client: { close(): void }): Actor => ({
  async stop() {
    await actor.stop();
    client.close();
  },
});

function expectAnswer(request: string, status: number, text: string, contains: string): void {
  if (status !== 200) throw new Error(`${request}: status ${status} ${text.slice(0, 200)}`);
  if (!text.includes(contains)) throw new Error(`${request}: ${text.slice(0, 200)}`);
}

/** Like a load balancer: asks those that are ready in turn, and another one when it cannot connect. */
async function askReady(ready: readonly string[], turn: number, line: string): Promise<string> {
  for (let n = 0; n < ready.length; n++) {
    const answer = await ask(ready[(turn + n) % ready.length]!, line);
    if (answer !== undefined) return answer;
  }
  throw new Error('no replica is ready');
}

/** The answer, until the connection is closed; undefined when none was made. */
async function ask(address: string, line: string): Promise<string | undefined> {
  const [host, port] = address.split(':');
  const socket = connect({ host: host!, port: Number(port) });
  const chunks: Buffer[] = [];
  let isConnected = false;
  socket.on('connect', () => {
    isConnected = true;
    socket.write(line);
  });
  socket.on('error', () => {}).on('data', (chunk) => chunks.push(chunk));
  socket.setTimeout(30_000, () => socket.destroy());
  await once(socket, 'close');
  return isConnected ? Buffer.concat(chunks).toString('latin1') : undefined;
}

/** A client of the change stream that continues where it was after each break. */
export interface ChangeReader extends Actor {
  /** The serial after which it began, and the newest that it has. */
  first(): number | undefined;
  last(): number;
}

/** Notes each gap and each repetition. */
export function startChangeReader({ balancer }: Registries, record: RunRecord): ChangeReader {
  let first: number | undefined;
  let place: string | undefined;
  let last = 0;
  let current: { destroy(): void } | undefined;
  const follow = async (gateway: string) => {
    const headers = { accept: 'text/event-stream', ...(place === undefined ? {} : { 'last-event-id': place }) };
    const request = https.get(`https://${gateway}/TEST/changes`, { headers, rejectUnauthorized: false, agent: false });
    current = request;
    const [response] = await once(request, 'response');
    if (response.statusCode !== 200) throw new Error(`the change stream has status ${response.statusCode}`);
    let event = '';
    for await (const line of createInterface({ input: response })) {
      if (line.startsWith('event:')) event = line.slice(6).trim();
      if (!line.startsWith('id:')) continue;
      place = line.slice(3).trim();
      const serial = Number.parseInt(place, 10);
      if (first === undefined) first = serial;
      else if (event.startsWith('object.') && serial !== last + 1) {
        record.note(`LOST: the change stream has ${serial} after ${last}`);
      }
      last = serial;
    }
  };
  const actor = every(200, record, async (n) => {
    const gateways = balancer.inUse();
    const gateway = gateways[n % gateways.length];
    if (gateway !== undefined) await follow(gateway).catch(() => {});
  });
  return {
    first: () => first,
    last: () => last,
    async stop() {
      const stopped = actor.stop();
      current?.destroy();
      await stopped;
    },
  };
}
