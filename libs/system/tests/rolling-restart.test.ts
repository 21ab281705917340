import https from 'node:https';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Cluster, type Replica, replicated, startCluster } from './harness/cluster.js';
import { isConnected } from './harness/connections.js';
import { eventually } from './harness/eventually.js';
import { personText } from './harness/person-text.js';
import { jsonBody } from './harness/whois.js';

// Ten processes start one after the other on a busy machine.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster();
});
afterAll(() => cluster?.stop());

interface Sent {
  status: number;
  text: string;
}

/**
 * A client with one connection to each gateway. Like a load balancer, it uses the other gateway when it cannot connect to
 * one (nothing was sent then); any other error is a failed request.
 */
function createClient() {
  const agents = cluster.gateways.map(
    () => new https.Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false }),
  );
  let turn = 0;
  const sendTo = (which: number, path: string, body: string | undefined) =>
    new Promise<Sent>((resolve, reject) => {
      const [host, port] = cluster.gateways[which]!.split(':');
      const headers = {
        accept: 'application/json',
        ...(body === undefined
          ? {}
          : { 'content-type': 'application/json', authorization: `Basic ${cluster.credential}` }),
      };
      const options = { host, port, path, method: body === undefined ? 'GET' : 'POST', headers, agent: agents[which] };
      const request = https.request(options, async (response) => {
        let text = '';
        for await (const chunk of response) text += chunk;
        resolve({ status: response.statusCode ?? 0, text });
      });
      request.once('error', reject);
      request.end(body);
    });
  return {
    async send(path: string, body?: string): Promise<Sent> {
      const first = turn++ % agents.length;
      for (let n = 0; ; n++) {
        try {
          return await sendTo((first + n) % agents.length, path, body);
        } catch (error) {
          if (!isUnconnected(error) || n === agents.length) throw error;
        }
      }
    },
    close: () => {
      for (const agent of agents) agent.destroy();
    },
  };
}

/** Whether a connection was refused, or ended before TLS was established: no request was sent. */
function isUnconnected(error: unknown): boolean {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'ECONNREFUSED' || message.includes('before secure TLS connection was established');
}

const reads = [
  '/TEST/mntner/EXAMPLE-MNT',
  '/search?query-string=EXAMPLE-MNT',
  '/abuse-contact/192.0.2.1',
  '/metadata/sources',
];

/** Number of the attempt, from 0: each writes its own objects. */
let attempt = -1;

/** The current phase, for the message of a failure. */
let phase = 'before';

/** A client that writes and reads without a pause. */
function startTraffic(prefix: string) {
  const client = createClient();
  const failures: string[] = [];
  const written: string[] = [];
  let running = true;
  let answered = 0;
  const expectStatus = async (path: string, body?: string) => {
    const answer = await client.send(path, body).catch((error: Error) => ({ status: 0, text: String(error) }));
    if (answer.status !== 200)
      failures.push(
        `${phase}: ${path}: ${answer.status} ${JSON.stringify(answer.text.match(/"text":.*/)?.[0] ?? answer.text)}`,
      );
    answered += 1;
    return answer.status === 200;
  };
  const done = (async () => {
    for (let n = 1; running; n++) {
      const key = `${prefix}${n}-TEST`;
      if (await expectStatus('/TEST/person', jsonBody(personText('Restart Writer', key)))) written.push(key);
      await expectStatus(`/TEST/person/${key}`);
      await expectStatus(reads[n % reads.length]!);
    }
  })();
  return {
    failures,
    written,
    answered: () => answered,
    async stop() {
      running = false;
      await done;
      client.close();
    },
  };
}

test('every process restarts under load, and no request fails or runs twice', async () => {
  attempt++;
  const traffic = ['W', 'X', 'Y'].map((letter) => startTraffic(`R${letter}${'ABC'[attempt]}`));
  const answered = () => traffic.reduce((sum, one) => sum + one.answered(), 0);
  const untilMore = async () => {
    const before = answered();
    await eventually(() => expect(answered()).toBeGreaterThan(before + 12), 60_000);
  };
  const others = (replica: Replica) =>
    Object.values(cluster.replicas)
      .flat()
      .filter((other) => other !== replica);
  await untilMore();
  for (const service of replicated) {
    for (const replica of cluster.replicas[service]) {
      phase = `${service} ${replica.address} stops`;
      const clients = others(replica).filter(({ pid }) => isConnected(pid(), replica.address));
      expect(await replica.stop(), service).toBe('ended with exit code 0');
      await untilMore();
      phase = `${service} ${replica.address} starts`;
      await replica.start();
      // Kubernetes waits, too (minReadySeconds): the others must have connected before the next one stops.
      const connected = () => clients.filter(({ pid }) => isConnected(pid(), replica.address));
      await eventually(() => expect(connected()).toEqual(clients), 60_000);
      await untilMore();
    }
  }
  await Promise.all(traffic.map((one) => one.stop()));
  expect(traffic.flatMap(({ failures }) => failures)).toEqual([]);
  const client = createClient();
  const keys = traffic.flatMap(({ written }) => written);
  for (const key of keys) {
    const { versions } = JSON.parse((await client.send(`/TEST/person/${key}/versions`)).text);
    expect(versions.version, key).toHaveLength(1);
  }
  client.close();
});
