import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Cluster, type Replicated, startCluster } from './harness/cluster.js';
import { eventually } from './harness/eventually.js';
import { personText } from './harness/person-text.js';
import { type Answer, type Rest, restClient } from './harness/rest.js';
import { jsonBody, objectOf, values } from './harness/whois.js';

// Ten processes start one after the other on a busy machine.
vi.setConfig({ testTimeout: 400_000, hookTimeout: 400_000 });

let cluster: Cluster;
let gateways: (Rest & { close(): void })[];
/** Clients of the same gateways for the time when nothing is killed. */
let calmGateways: (Rest & { close(): void })[];
beforeAll(async () => {
  cluster = await startCluster();
  const addresses = cluster.gateways.map((address) => ({
    ...{ http: '', https: `https://${address}`, certHttps: '', certificateText: cluster.gatewayCertificate },
  }));
  gateways = addresses.map((one) => restClient(one, { repeats: false }));
  calmGateways = addresses.map((one) => restClient(one));
});
afterAll(async () => {
  for (const gateway of [...(gateways ?? []), ...(calmGateways ?? [])]) gateway.close();
  await cluster?.stop();
});

const json = () => ({ accept: 'application/json', contentType: 'application/json', credential: cluster.credential });

/** Creates a person whose handle the registry chooses; retries at all gateways until a response has the result. */
async function createOnce(name: string, key = randomUUID()): Promise<Answer> {
  const headers = { 'idempotency-key': key };
  const request = { ...json(), method: 'POST', headers, body: jsonBody(personText(name, 'AUTO-1')) };
  for (let n = 0; ; n++) {
    const reported = await gateways[n % gateways.length]!('/TEST/person', request).catch(() => undefined);
    if (reported?.status === 200) return reported;
    // 409: the request before has not ended; 503: a service is unavailable.
    if (reported !== undefined && reported.status !== 409 && reported.status < 500)
      throw new Error(`${reported.status} ${reported.text}`);
    await delay(20);
  }
}

const serialOf = ({ headers }: Answer) => Number(headers['cadastre-serial']);

/** The replicas to kill, one after the other. */
const victims: readonly (readonly [Replicated, 0 | 1])[] = [
  ['gateway', 0],
  ['objects', 0],
  ['auth', 0],
  ['objects', 1],
  ['gateway', 1],
  ['auth', 1],
  ['objects', 0],
  ['objects', 1],
];

test('a creation that its client repeats until it is answered is made once, whatever is killed', async () => {
  const key = randomUUID();
  const first = await createOnce('First Writer', key);
  const created: Answer[] = [];
  let isEnded = false;
  const writers = ['Ann', 'Bea', 'Cal', 'Dee'].map(async (name) => {
    // An account has 5,000 keys within an hour.
    for (; !isEnded; await delay(100)) created.push(await createOnce(`${name} Writer`));
  });
  const ended = Promise.all(writers);
  ended.catch(() => {});
  const untilMore = async () => {
    const before = created.length;
    await eventually(() => expect(created.length).toBeGreaterThan(before + 8), 180_000);
  };
  try {
    await killInTurn(
      victims.map(([service, number]) => cluster.replicas[service][number]!),
      untilMore,
    );
  } finally {
    isEnded = true;
  }
  await ended;
  const last = await createOnce('Last Writer');
  // Serials have no gaps, and there are no other writers.
  expect(serialOf(last) - serialOf(first)).toBe(created.length + 1);
  const handles = created.flatMap((one) => values(objectOf(one), 'nic-hdl'));
  expect(new Set(handles).size).toBe(created.length);
  const again = await createOnce('First Writer', key);
  expect([again.headers['idempotent-replayed'], serialOf(again)]).toEqual(['true', serialOf(first)]);
  expect(objectOf(again)).toEqual(objectOf(first));
});

test('of two editors at different gateways, exactly one writes', async () => {
  const handle = values(objectOf(await createOnce('Edited Person')), 'nic-hdl')[0]!;
  const path = `/TEST/person/${handle}`;
  for (let round = 0; round < 10; round++) {
    const tag = String((await calmGateways[round % 2]!(path)).headers.etag);
    const edits = calmGateways.map((gateway, at) => {
      const body = jsonBody(personText('Edited Person', handle).replace('Street 9', `Street ${round}${at}`));
      return gateway(path, { ...json(), method: 'PUT', headers: { 'if-match': tag }, body });
    });
    const statuses = (await Promise.all(edits)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 412]);
  }
  expect(JSON.parse((await calmGateways[0]!(`${path}/versions.json`)).text).versions.version).toHaveLength(11);
});

/** Kills and restarts replicas, and waits for progress before, between and after. */
async function killInTurn(replicas: typeof cluster.replicas.objects, untilMore: () => Promise<void>): Promise<void> {
  await untilMore();
  for (const replica of replicas) {
    process.kill(replica.pid(), 'SIGKILL');
    await untilMore();
    await replica.stop();
    await replica.start();
    await untilMore();
  }
}

test('every acknowledged increment counts, whatever is killed', async () => {
  const handle = values(objectOf(await createOnce('Counted Person')), 'nic-hdl')[0]!;
  const path = `/TEST/person/${handle}`;
  // Each text has an author of its own: an update that repeats the stored text succeeds.
  const counted = (value: number) =>
    jsonBody(personText('Counted Person', handle).replace('Street 9', `Street ${value} ${randomUUID()}`));
  const countOf = (answer: Answer) => Number(/Street (\d+) /.exec(values(objectOf(answer), 'address')[0]!)![1]);
  const put = (gateway: Rest, body: string, headers = {}) => gateway(path, { ...json(), method: 'PUT', headers, body });
  expect((await put(calmGateways[0]!, counted(0))).status).toBe(200);
  let [acknowledged, unknown] = [0, 0];
  let isEnded = false;
  const writers = Array.from({ length: 6 }, async (_, at) => {
    const gateway = gateways[at % 2]!;
    while (!isEnded) {
      const found = await gateway(`${path}.json`).catch(() => undefined);
      if (found?.status !== 200) continue;
      const headers = { 'if-match': String(found.headers.etag) };
      const { status } = await put(gateway, counted(countOf(found) + 1), headers).catch(() => ({ status: 0 }));
      if (status === 200) acknowledged++;
      else if (status === 0 || status >= 500) unknown++;
      else if (status !== 412) throw new Error(`unexpected refusal: ${status}`);
    }
  });
  const ended = Promise.all(writers);
  ended.catch(() => {});
  const untilMore = async () => {
    const before = acknowledged;
    const isMore = eventually(() => expect(acknowledged).toBeGreaterThan(before + 10), 180_000);
    await Promise.race([isMore, ended]);
  };
  try {
    await killInTurn(cluster.replicas.objects, untilMore);
  } finally {
    isEnded = true;
  }
  await ended;
  const { version } = JSON.parse((await calmGateways[0]!(`${path}/versions.json`)).text).versions;
  const increments = version.length - 2;
  await eventually(async () => expect(countOf(await gateways[0]!(`${path}.json`))).toBe(increments));
  expect(increments).toBeGreaterThanOrEqual(acknowledged);
  expect(increments).toBeLessThanOrEqual(acknowledged + unknown);
});
