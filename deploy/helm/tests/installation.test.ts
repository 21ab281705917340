import { readFileSync } from 'node:fs';
import https from 'node:https';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { type Operator, operatorOf } from './operator.js';
import { chart } from './render.js';
import { ask, startTraffic, type Traffic } from './traffic.js';

// The life of a release in a cluster that runs pods and enforces network policies, from installation to removal. The
// tests build on each other. `make test-cluster` provides the cluster, the images, and the chart of the version before.
const kubeconfig = process.env.CADASTRE_TEST_KUBECONFIG;
const previousChart = process.env.CADASTRE_TEST_PREVIOUS_CHART;
if (!previousChart) console.warn('SKIPPED: a release in a cluster; CADASTRE_TEST_PREVIOUS_CHART names none');

// Each pod of a rollout waits for the one before, on a machine that may be busy.
vi.setConfig({ testTimeout: 1_800_000, hookTimeout: 600_000 });
const patience = ['--wait', '--timeout', '25m'];

const mntner = 'CLUSTER-MNT';
const registry = `person:         Cluster Operator
address:        1 Example Street
phone:          +31 20 555 0100
nic-hdl:        CO1-TEST
mnt-by:         ${mntner}
source:         TEST

mntner:         ${mntner}
admin-c:        CO1-TEST
upd-to:         operator@example.net
auth:           SSO operator@example.net
mnt-by:         ${mntner}
source:         TEST
`;

describe.skipIf(!kubeconfig || !previousChart)('a release in a cluster', () => {
  const namespace = 'registry';
  const { appVersion } = parse(readFileSync(`${chart}Chart.yaml`, 'utf8')) as { appVersion: string };
  const written: string[] = [];
  let operator: Operator;
  let url: string;
  let credential: string;

  beforeAll(async () => {
    operator = operatorOf(kubeconfig!, namespace);
    await createNamespace(operator, namespace);
  });

  afterAll(async () => {
    await operator?.kubectl('delete', 'namespace', namespace, '--ignore-not-found');
  });

  const part = (name: string) => `registry-cadastre-${name}`;
  const cadastre = (input: string, ...args: string[]) =>
    operator.kubectlWith(input, 'exec', '--stdin', `deployment/${part('cli')}`, '--', 'node', 'main.js', ...args);

  /** Ends traffic, of which nothing may have failed, and prints what did. */
  async function expectNoFailure(traffic: Traffic) {
    const { failures, written: handles } = await traffic.stop();
    written.push(...handles);
    const counts = `${traffic.answered()} requests, ${handles.length} acknowledged writes, ${failures.length} failed`;
    console.info([counts, ...failures].join('\n'));
    expect(failures).toEqual([]);
  }

  async function expectEverythingStored() {
    const agent = new https.Agent({ keepAlive: true, rejectUnauthorized: false });
    const lost: string[] = [];
    for (const handle of written) {
      const { status } = await ask(`${url}/TEST/person/${handle}`, credential, agent);
      if (status !== 200) lost.push(`${handle}: ${status}`);
    }
    agent.destroy();
    expect(lost).toEqual([]);
  }

  test('the previous version installs without values, and passes its test', async () => {
    await operator.helm('install', 'registry', previousChart!, '--set', 'image.tag=previous', ...patience);
    await operator.helm('test', 'registry', '--timeout', '10m');
    await cadastre(registry, 'load', '--source', 'TEST', '--wait', '-');
    const key = ['--user', 'operator@example.net', '--name', 'first', '--create-account'];
    credential = /^[A-Za-z0-9+/=]{60,}$/m.exec(await cadastre('', 'api-key', 'create', ...key))![0];
    const address = await operator.kubectl('get', 'service', part('gateway'), '--output', 'jsonpath={.spec.clusterIP}');
    url = `https://${address}`;
  });

  test('an upgrade without values under load fails no request, and the new version passes its test', async () => {
    const traffic = startTraffic(url, credential, mntner);
    await operator.helm('upgrade', 'registry', chart, '--reset-values', ...patience);
    await expectNoFailure(traffic);
    await operator.helm('test', 'registry', '--timeout', '10m');
    await expectEverythingStored();
  });

  test('a rollback under load fails no request, and neither does the next upgrade', async () => {
    const traffic = startTraffic(url, credential, mntner);
    await operator.helm('rollback', 'registry', '1', ...patience);
    await operator.helm('upgrade', 'registry', chart, '--reset-values', ...patience);
    await expectNoFailure(traffic);
    await expectEverythingStored();
  });

  test('network policies: outsiders reach the public ports and the metrics, and parts what they use', async () => {
    const visitors = operatorOf(kubeconfig!, 'visitors');
    await createNamespace(visitors, 'visitors');
    const targets = [
      [part('gateway'), 443],
      [part('gateway-operations'), 9091],
      ...['objects', 'auth', 'search', 'geo'].map((name) => [part(name), 9090] as const),
      [part('postgresql'), 5432],
      [part('redis'), 6379],
    ].map(([name, port]) => `${name}.${namespace}.svc.cluster.local:${port}`);
    const fromOutside = JSON.parse(await runScript(visitors, `cadastre-cli:${appVersion}`, connect(targets)));
    expect(fromOutside).toEqual(targets.slice(0, 2));

    const inside = async (name: string) => {
      // Not the part itself: a pod always reaches its own address.
      const others = targets.slice(2).filter((target) => !target.startsWith(`${part(name)}.`));
      const script = connect([...others, 'kubernetes.default.svc.cluster.local:443']);
      return JSON.parse(await operator.kubectl('exec', `deployment/${part(name)}`, '--', 'node', '--eval', script));
    };
    expect(await inside('gateway')).toEqual([...targets.slice(2, 6), targets[7]]);
    expect(await inside('objects')).toEqual([targets[3], targets[6]]);
    await visitors.kubectl('delete', 'namespace', 'visitors');
  });

  test('autoscaling by CPU starts gateways under load and ends them after it, without a failed request', async () => {
    const gateways = async (number: number) => {
      const ready = ['--for', `jsonpath={.status.readyReplicas}=${number}`, '--timeout', '20m'];
      await operator.kubectl('wait', `deployment/${part('gateway')}`, ...ready);
    };
    const load = startTraffic(url, credential, mntner, { clients: 4 });
    const settings = ['--set', 'gateway.autoscaling.enabled=true', '--set', 'gateway.autoscaling.maxReplicas=3'];
    await operator.helm('upgrade', 'registry', chart, '--reset-values', ...settings, ...patience);
    await gateways(3);
    await expectNoFailure(load);
    const rest = startTraffic(url, credential, mntner, { pauseMs: 1000 });
    await gateways(2);
    await expectNoFailure(rest);
    await expectEverythingStored();
  });

  test('removal leaves volume and passwords of the database; a new installation has every object', async () => {
    await operator.helm('uninstall', 'registry', ...patience);
    // Pods end after what made them.
    const left = async () => (await operator.kubectl('get', 'all,secrets,pvc', '--output', 'name')).trim().split('\n');
    await expect
      .poll(async () => (await left()).sort(), { timeout: 120_000, interval: 2000 })
      .toEqual([
        `persistentvolumeclaim/data-${part('postgresql')}-0`,
        `pod/${part('test')}`,
        `secret/${part('postgresql')}`,
      ]);
    await operator.helm('install', 'registry', chart, ...patience);
    const address = await operator.kubectl('get', 'service', part('gateway'), '--output', 'jsonpath={.spec.clusterIP}');
    url = `https://${address}`;
    await expectEverythingStored();
    await operator.helm('test', 'registry', '--timeout', '10m');
    await operator.helm('uninstall', 'registry', ...patience);
  });
});

/** A namespace that permits only pods of the profile "restricted". */
async function createNamespace(operator: Operator, name: string) {
  await operator.kubectl('create', 'namespace', name);
  await operator.kubectl('label', 'namespace', name, 'pod-security.kubernetes.io/enforce=restricted');
}

/** A script that prints the targets (host:port) that accept a connection within 25 s, as JSON. */
function connect(targets: readonly string[]): string {
  return `const open = (target) => new Promise((resolve) => {
    const [host, port] = target.split(':');
    const socket = require('node:net').connect({ host, port, timeout: 25000 }, () => done(true));
    const done = (accepted) => { socket.destroy(); resolve(accepted); };
    socket.on('timeout', () => done(false)).on('error', () => done(false));
  });
  (async () => {
    const targets = ${JSON.stringify(targets)};
    const accepted = await Promise.all(targets.map(open));
    console.log(JSON.stringify(targets.filter((_, n) => accepted[n])));
  })();`;
}

/** Output of a script in a pod of its own. */
async function runScript(operator: Operator, image: string, script: string): Promise<string> {
  const security = {
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['ALL'] },
    runAsNonRoot: true,
    seccompProfile: { type: 'RuntimeDefault' },
  };
  const container = { name: 'script', image, command: ['node', '--eval', script], securityContext: security };
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'script' },
    spec: { restartPolicy: 'Never', automountServiceAccountToken: false, containers: [container] },
  };
  await operator.kubectlWith(JSON.stringify(pod), 'apply', '--filename', '-');
  await operator.kubectl('wait', 'pod/script', '--for', 'jsonpath={.status.phase}=Succeeded', '--timeout', '5m');
  return operator.kubectl('logs', 'script');
}
