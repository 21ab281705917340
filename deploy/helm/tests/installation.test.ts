import { verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import https from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { signingKeys } from './mirror-keys.js';
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
const untilReady = ['--wait', '--timeout', '25m'];
/** A publisher waits for a minute, so does who follows it, and so does the node before it shows a changed Secret. */
const soon = { timeout: 600_000, interval: 2000 };

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

/** Of a type that everybody may have, unlike persons. */
const asSet = `as-set:         AS-CLUSTER
tech-c:         CO1-TEST
admin-c:        CO1-TEST
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
  let keyFolder: string;
  let mirroring: string[];

  beforeAll(async () => {
    operator = operatorOf(kubeconfig!, namespace);
    await createNamespace(operator, namespace);
    keyFolder = await mkdtemp(path.join(tmpdir(), 'cadastre-keys-'));
  });

  afterAll(async () => {
    await operator?.kubectl('delete', 'namespace', namespace, '--ignore-not-found');
    await rm(keyFolder, { recursive: true, force: true });
  });

  const part = (name: string) => `registry-cadastre-${name}`;
  const cadastre = (input: string, ...args: string[]) =>
    operator.kubectlWith(input, 'exec', '--stdin', `deployment/${part('cli')}`, '--', 'node', 'main.js', ...args);

  /** The warnings and errors of all pods in the last seconds. */
  async function recentLogs(): Promise<string> {
    const pods = ['--selector', 'app.kubernetes.io/instance=registry', '--max-log-requests', '50', '--prefix'];
    // Some pods may not have started yet.
    const lines = await operator.kubectl('logs', ...pods, '--since', '10s', '--tail', '-1', '--ignore-errors');
    return lines
      .split('\n')
      .filter((line) => /"level":"(?:warn|error)"/.test(line))
      .join('\n');
  }

  /** Ends traffic. Prints and returns what failed. */
  async function failuresOf(traffic: Traffic) {
    const { failures, logs, written: handles } = await traffic.stop();
    written.push(...handles);
    const counts = `${traffic.answered()} requests, ${handles.length} acknowledged writes, ${failures.length} failed`;
    console.info([counts, ...failures, ...logs].join('\n'));
    return failures;
  }

  async function expectNoFailure(traffic: Traffic) {
    expect(await failuresOf(traffic)).toEqual([]);
  }

  /**
   * Beside version 0.2, which cannot write to a database of this version, nor answer each of its calls, and whose
   * trial PostgreSQL is restarted (docs/operate/upgrades.md), requests may fail with a response that says so.
   */
  async function expectOnlyRefusals(traffic: Traffic) {
    const refused =
      /^\S+ \S+ \S+: (500 |503 |0 Error: connect ECONNREFUSED|403 \{"message":"(Unknown caller|This caller may not use this method)"\})/;
    expect((await failuresOf(traffic)).filter((failure) => !refused.test(failure))).toEqual([]);
  }

  /** Waits until the services have no pod of one version. Only pods of 0.2 have the label, and only 0.2 has geo. */
  async function untilGone(pods: 'helm.sh/chart' | '!helm.sh/chart') {
    const services = 'app.kubernetes.io/component in (objects,auth,search,geo,gateway)';
    await operator.kubectl('wait', 'pods', '--selector', `${services},${pods}`, '--for', 'delete', '--timeout', '10m');
  }

  async function expectEverythingStored() {
    const agent = new https.Agent({ keepAlive: true, rejectUnauthorized: false });
    const lost: string[] = [];
    for (const handle of written) {
      let { status } = await ask(`${url}/TEST/person/${handle}`, credential, agent);
      // One client reads more in a second than the limit of queries permits.
      for (let tries = 1; status === 429 && tries < 5; tries++) {
        await setTimeout(1_000);
        ({ status } = await ask(`${url}/TEST/person/${handle}`, credential, agent));
      }
      if (status !== 200) lost.push(`${handle}: ${status}`);
    }
    agent.destroy();
    expect(lost).toEqual([]);
  }

  const clusterAddress = (service: string) =>
    operator.kubectl('get', 'service', part(service), '--output', 'jsonpath={.spec.clusterIP}');

  const keys = (...args: string[]) => signingKeys(keyFolder, ...args);

  /** As in docs/use/mirroring.md. */
  async function handOverKeys() {
    await operator.kubectlWith(await keys('show', '--kubernetes', 'mirror-keys'), 'apply', '--filename', '-');
  }

  /** Values of a registry that publishes its source, and follows itself through its gateways. */
  async function mirroringValues(): Promise<string[]> {
    const gateway = part('gateway');
    const template = 'jsonpath={.data.ca\\.crt}';
    const authority = await operator.kubectl('get', 'secret', part('public-tls'), '--output', template);
    const literal = `ca.crt=${Buffer.from(authority, 'base64').toString()}`;
    await operator.kubectl('create', 'configmap', 'authority', '--from-literal', literal);
    const resources = { requests: { cpu: '20m', memory: '64Mi' } };
    const values = {
      grsSources: ['TEST-GRS'],
      whois: { enabled: true, service: { type: 'ClusterIP' }, resources },
      mirror: {
        enabled: true,
        publish: ['TEST'],
        dumps: ['TEST'],
        keys: { secretName: 'mirror-keys' },
        origins: {
          'TEST-GRS': {
            nrtm4: {
              url: `https://${gateway}/nrtmv4/TEST/update-notification-file.jose`,
              source: 'TEST',
              key: await keys('show', '--public'),
              ownNetwork: true,
            },
          },
        },
        volume: { size: '1Gi' },
        files: { authority: { configMapName: 'authority' } },
        env: { NODE_EXTRA_CA_CERTS: '/run/files/authority/ca.crt' },
        extraEgress: [
          {
            to: [{ podSelector: { matchLabels: { 'app.kubernetes.io/component': 'gateway' } } }],
            ports: [{ port: 8443 }],
          },
        ],
        resources,
      },
    };
    return Object.entries(values).flatMap(([name, value]) => ['--set-json', `${name}=${JSON.stringify(value)}`]);
  }

  /** When the copy last was what its origin had published; rejects while it is not. */
  async function copyChecked(): Promise<number> {
    const { mirrors } = JSON.parse(await cadastre('', 'mirror', 'status', '--json'));
    expect(mirrors).toMatchObject([{ source: 'TEST-GRS', state: 'current' }]);
    return Date.parse(mirrors[0].checked);
  }

  /** The newest notification file; rejects when none of these keys has signed it. */
  async function readNotification(...publicKeys: string[]): Promise<Record<string, unknown>> {
    const { status, text: signed } = await get('/nrtmv4/TEST/update-notification-file.jose');
    expect(status, signed).toBe(200);
    const [header, payload, signature] = signed.trim().split('.') as [string, string, string];
    const isSigned = publicKeys.some((key) =>
      verify(
        'sha256',
        Buffer.from(`${header}.${payload}`),
        { key, dsaEncoding: 'ieee-p1363' },
        Buffer.from(signature, 'base64url'),
      ),
    );
    expect(isSigned).toBe(true);
    return JSON.parse(Buffer.from(payload, 'base64url').toString());
  }

  async function get(where: string) {
    const agent = new https.Agent({ rejectUnauthorized: false });
    try {
      return await ask(`${url}${where}`, credential, agent);
    } finally {
      agent.destroy();
    }
  }

  test('the previous version installs without values, and passes its test', async () => {
    await operator.helm('install', 'registry', previousChart!, '--set', 'image.tag=previous', ...untilReady);
    await operator.helm('test', 'registry', '--timeout', '10m');
    await cadastre(registry, 'load', '--source', 'TEST', '--wait', '-');
    const key = ['--user', 'operator@example.net', '--name', 'first', '--create-account'];
    credential = /^[A-Za-z0-9+/=]{60,}$/m.exec(await cadastre('', 'api-key', 'create', ...key))![0];
    url = `https://${await clusterAddress('gateway')}`;
  });

  test('an upgrade without values under load loses nothing, and the new version passes its test', async () => {
    const traffic = startTraffic(url, credential, mntner, { recentLogs });
    await operator.helm('upgrade', 'registry', chart, '--reset-values', ...untilReady);
    await untilGone('helm.sh/chart');
    await expectOnlyRefusals(traffic);
    await operator.helm('test', 'registry', '--timeout', '10m');
    await expectEverythingStored();
  });

  test('a rollback under load loses nothing, and neither does the next upgrade', async () => {
    const traffic = startTraffic(url, credential, mntner, { recentLogs });
    await operator.helm('rollback', 'registry', '1', ...untilReady);
    await untilGone('!helm.sh/chart');
    await expectEverythingStored();
    await operator.helm('upgrade', 'registry', chart, '--reset-values', ...untilReady);
    await untilGone('helm.sh/chart');
    await expectOnlyRefusals(traffic);
    await expectEverythingStored();
  });

  test('whois and mirror join under load, in a database of a version that had neither', async () => {
    await keys('create');
    await handOverKeys();
    mirroring = await mirroringValues();
    const traffic = startTraffic(url, credential, mntner, { clients: 1, roundMs: 1000, recentLogs });
    await operator.helm('upgrade', 'registry', chart, '--reset-values', ...mirroring, ...untilReady);
    await expectNoFailure(traffic);
    await operator.helm('test', 'registry', '--timeout', '10m');
  });

  test('a rollback to other values under load fails no request, and neither does their return', async () => {
    const traffic = startTraffic(url, credential, mntner, { recentLogs });
    await operator.helm('rollback', 'registry', ...untilReady);
    await operator.helm('upgrade', 'registry', chart, '--reset-values', ...mirroring, ...untilReady);
    await expectNoFailure(traffic);
    await expectEverythingStored();
  });

  test('whois answers on port 43', async () => {
    const socket = connect(43, await clusterAddress('whois-public'));
    socket.write(`-r -T mntner ${mntner}\r\n`);
    expect(await text(socket)).toContain(`mntner:         ${mntner}\n`);
  });

  test('every gateway serves the dumps and the source, signed by the key of the operator; a copy follows', async () => {
    const publicKey = await keys('show', '--public');
    const published = () => readNotification(publicKey);
    await expect.poll(published, soon).toMatchObject({ source: 'TEST', version: expect.any(Number) });
    const dump = async () => (await get('/dumps/test/test.db.gz')).status;
    await expect.poll(dump, soon).toBe(200);
    const pods = await operator.kubectl(
      'get',
      'pods',
      '--selector',
      'app.kubernetes.io/component=gateway',
      '--output',
      'name',
    );
    const list = `console.log(require('node:fs').readdirSync('/run/files/publications/nrtmv4/TEST').join(' '))`;
    for (const pod of pods.trim().split('\n')) {
      expect(await operator.kubectl('exec', pod, '--', 'node', '--eval', list)).toContain(
        'update-notification-file.jose',
      );
    }
    const copied = async () => (await get(`/TEST-GRS/mntner/${mntner}`)).status;
    await expect.poll(copied, soon).toBe(200);
    await expect.poll(copyChecked, soon).toBeGreaterThan(0);
  });

  test('the job of a pod that is gone goes to the other pod, which publishes what is written then', async () => {
    const publicKey = await keys('show', '--public');
    const { version } = await readNotification(publicKey);
    const pods = ['--selector', 'app.kubernetes.io/component=mirror'];
    const [first] = (await operator.kubectl('get', 'pods', ...pods, '--output', 'name')).split('\n');
    await operator.kubectl('delete', first!, '--grace-period', '0', '--force');
    await cadastre(asSet, 'load', '--source', 'TEST', '--wait', '-');
    const newest = async () => Number((await readNotification(publicKey)).version);
    await expect.poll(newest, soon).toBeGreaterThan(Number(version));
    const copied = async () => (await get('/TEST-GRS/as-set/AS-CLUSTER')).status;
    await expect.poll(copied, soon).toBe(200);
  });

  test('the key is rotated by handing over the Secret, and the copy goes on', async () => {
    const before = await keys('show', '--public');
    await keys('rotate');
    await handOverKeys();
    await expect.poll(() => readNotification(before), soon).toHaveProperty('next_signing_key');
    const announced = Date.now();
    await expect.poll(copyChecked, soon).toBeGreaterThan(announced);
    await keys('rotate', '--now');
    await handOverKeys();
    const after = await keys('show', '--public');
    expect(after).not.toBe(before);
    await expect.poll(() => readNotification(after), soon).toMatchObject({ source: 'TEST' });
    const rotated = Date.now();
    await expect.poll(copyChecked, soon).toBeGreaterThan(rotated);
  });

  test('network policies: outsiders reach the public ports, and parts what they use', async () => {
    const visitors = operatorOf(kubeconfig!, 'visitors');
    await createNamespace(visitors, 'visitors');
    const at = (name: string, port: number) => `${part(name)}.${namespace}.svc.cluster.local:${port}`;
    const open = [at('gateway', 443), at('whois-public', 43)];
    const services = ['objects', 'auth', 'search', 'whois', 'mirror'].map((name) => at(name, 9090));
    const [objects, auth, search, whois, mirror] = services;
    const [postgresql, redis] = [at('postgresql', 5432), at('redis', 6379)];
    const targets = [...open, at('gateway-operations', 9091), ...services, postgresql, redis];
    const fromOutside = JSON.parse(await runScript(visitors, `cadastre-cli:${appVersion}`, reachable(targets)));
    expect(fromOutside).toEqual(open);

    const inside = async (name: string) => {
      // Not the part itself: a pod always reaches its own address, which its Service for operations has, too.
      const own = [`${part(name)}.`, `${part(name)}-operations.`];
      const others = targets.filter(
        (target) => !own.some((start) => target.startsWith(start)) && !open.includes(target),
      );
      const script = reachable([...others, 'kubernetes.default.svc.cluster.local:443']);
      return JSON.parse(await operator.kubectl('exec', `deployment/${part(name)}`, '--', 'node', '--eval', script));
    };
    expect(await inside('gateway')).toEqual([objects, auth, search, whois, mirror, redis]);
    expect(await inside('objects')).toEqual([auth, postgresql]);
    // It asks mirror for the publications that `!J` names.
    expect(await inside('whois')).toEqual([objects, auth, search, mirror, redis]);
    expect(await inside('mirror')).toEqual([objects, postgresql]);
    await visitors.kubectl('delete', 'namespace', 'visitors');
  });

  test('autoscaling by CPU starts gateways under load and ends them after it, without a failed request', async () => {
    const gateways = async (number: number) => {
      const ready = ['--for', `jsonpath={.status.readyReplicas}=${number}`, '--timeout', '20m'];
      await operator.kubectl('wait', `deployment/${part('gateway')}`, ...ready);
    };
    const load = startTraffic(url, credential, mntner, { clients: 4, recentLogs });
    const settings = ['--set', 'gateway.autoscaling.enabled=true', '--set', 'gateway.autoscaling.maxReplicas=3'];
    await operator.helm('upgrade', 'registry', chart, '--reset-values', ...settings, ...untilReady);
    await gateways(3);
    await expectNoFailure(load);
    const rest = startTraffic(url, credential, mntner, { roundMs: 1000, recentLogs });
    await gateways(2);
    await expectNoFailure(rest);
    await expectEverythingStored();
  });

  test('removal leaves the volumes, and passwords of the database; a new installation has every object', async () => {
    await operator.helm('uninstall', 'registry', ...untilReady);
    // Pods end after what made them.
    const left = async () => (await operator.kubectl('get', 'all,secrets,pvc', '--output', 'name')).trim().split('\n');
    await expect
      .poll(async () => (await left()).sort(), { timeout: 120_000, interval: 2000 })
      .toEqual([
        `persistentvolumeclaim/data-${part('postgresql')}-0`,
        // Of the publications, from when there was a mirror service.
        `persistentvolumeclaim/${part('publications')}`,
        `pod/${part('test')}`,
        // Handed over by the operator.
        'secret/mirror-keys',
        `secret/${part('postgresql')}`,
      ]);
    await operator.helm('install', 'registry', chart, ...untilReady);
    url = `https://${await clusterAddress('gateway')}`;
    await expectEverythingStored();
    await operator.helm('test', 'registry', '--timeout', '10m');
    await operator.helm('uninstall', 'registry', ...untilReady);
  });
});

/** A namespace that permits only pods of the profile "restricted". */
async function createNamespace(operator: Operator, name: string) {
  await operator.kubectl('create', 'namespace', name);
  await operator.kubectl('label', 'namespace', name, 'pod-security.kubernetes.io/enforce=restricted');
}

/** A script that prints the targets (host:port) that accept a connection within 25 s, as JSON. */
function reachable(targets: readonly string[]): string {
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
