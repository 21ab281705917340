import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Cluster, connectsAgain, replicated, startCluster } from './harness/cluster.js';
import { eventually } from './harness/eventually.js';
import { type Stalls, watchStalls } from './harness/stalls.js';
import { type Answered, createClusterClient, startTraffic, wasDuringStall } from './harness/traffic.js';

// Ten processes start one after the other on a busy machine.
vi.setConfig({ testTimeout: 400_000, hookTimeout: 400_000 });

let cluster: Cluster;
let stalls: Stalls;
beforeAll(async () => {
  cluster = await startCluster();
  stalls = watchStalls();
});
afterAll(async () => {
  stalls?.stop();
  await cluster?.stop();
});

/** Number of the attempt, from 0: each writes its own objects. */
let attempt = -1;

test('every process restarts under load, and no request fails or runs twice', async () => {
  attempt++;
  let phase = 'before';
  let answered = 0;
  const failures: { said: string; answer: Answered }[] = [];
  const written: string[] = [];
  const onAnswered = (answer: Answered) => {
    answered++;
    const { path, status, text, writes } = answer;
    const about = text.match(/"text":.*/)?.[0] ?? text;
    const said = `${new Date().toISOString()} ${phase}: ${path} after ${answer.milliseconds} ms: ${status} ${about}`;
    if (status !== 200) failures.push({ said, answer });
    else if (writes !== undefined) written.push(writes);
  };
  const ends = ['W', 'X', 'Y'].map((letter) =>
    startTraffic(createClusterClient(cluster), `R${letter}${'ABC'[attempt]}`, onAnswered),
  );
  const untilMore = async () => {
    const before = answered;
    await eventually(() => expect(answered).toBeGreaterThan(before + 12), 180_000);
  };
  await untilMore();
  for (const service of replicated) {
    for (const replica of cluster.replicas[service]) {
      phase = `${service} ${replica.address} stops`;
      const clientsConnect = connectsAgain(cluster, replica);
      expect(await replica.stop(), service).toBe('ended with exit code 0');
      await untilMore();
      phase = `${service} ${replica.address} starts`;
      await replica.start();
      // Kubernetes waits, too (minReadySeconds): the others must have connected before the next one stops.
      await clientsConnect();
      await untilMore();
    }
  }
  await Promise.all(ends.map((end) => end()));
  const unexpected = failures.filter(({ answer }) => !wasDuringStall(stalls, answer)).map(({ said }) => said);
  expect(unexpected.length > 0 ? [...unexpected, ...(await warnings(cluster.logs))] : []).toEqual([]);
  const client = createClusterClient(cluster);
  for (const key of written) {
    const { versions } = JSON.parse((await client.send(`/TEST/person/${key}/versions`)).text);
    expect(versions.version, key).toHaveLength(1);
  }
  client.close();
});

/** The last warnings and errors in each log of a cluster. */
async function warnings(logs: string): Promise<string[]> {
  const found = (await readdir(logs)).map(async (name) => {
    const lines = (await readFile(join(logs, name), 'utf8')).split('\n');
    return lines
      .filter((line) => /"level":"(warn|error|fatal)"/.test(line))
      .slice(-5)
      .map((line) => `${name} ${line}`);
  });
  return (await Promise.all(found)).flat();
}
