import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { signingKeys } from './mirror-keys.js';
import { type Operator, operatorOf } from './operator.js';
import { chart } from './render.js';

// An installation with production values in a cluster that runs pods. Databases and Redis are outside of the release;
// certificates come from cert-manager or a stand-in. `make test-cluster` provides the cluster.
const kubeconfig = process.env.CADASTRE_TEST_KUBECONFIG;
const runsPods = process.env.CADASTRE_TEST_PREVIOUS_CHART;
if (!runsPods) console.warn('SKIPPED: production values in a cluster; CADASTRE_TEST_PREVIOUS_CHART names no chart');

const registry = `person:         Cluster Operator
address:        1 Example Street
phone:          +31 20 555 0100
nic-hdl:        CO1-EXAMPLE
mnt-by:         CLUSTER-MNT
source:         EXAMPLE

mntner:         CLUSTER-MNT
admin-c:        CO1-EXAMPLE
upd-to:         operator@example.net
auth:           SSO operator@example.net
mnt-by:         CLUSTER-MNT
source:         EXAMPLE
`;

/** A mail server that writes the recipient of each mail to its log. */
const mailServer = `
  require('node:net').createServer((socket) => {
    let isMail = false;
    socket.on('error', () => {}).write('220 mail.stores\\r\\n');
    require('node:readline').createInterface({ input: socket }).on('line', (line) => {
      const command = line.slice(0, 4).toUpperCase();
      if (isMail && line !== '.') return;
      if (command === 'RCPT') console.log(line.slice(5).toLowerCase().replace(':', ' '));
      const reply = isMail ? '250 stored' : command === 'DATA' ? '354 begin' : command === 'QUIT' ? '221 end' : '250 fine';
      isMail = command === 'DATA';
      socket.write(reply + '\\r\\n');
    });
  }).listen(587);
`;

vi.setConfig({ testTimeout: 1_800_000, hookTimeout: 600_000 });
const untilReady = ['--wait', '--timeout', '25m'];

describe.skipIf(!kubeconfig || !runsPods)('production values in a cluster', () => {
  const given = (name: string) => fileURLToPath(new URL(`production/${name}.yaml`, import.meta.url));
  const values = ['--values', `${chart}ci/production-values.yaml`, '--values', given('values')];
  let operator: Operator;
  let stores: Operator;
  let keyFolder: string;

  beforeAll(async () => {
    operator = operatorOf(kubeconfig!, 'production');
    stores = operatorOf(kubeconfig!, 'stores');
    await stores.kubectl('create', 'namespace', 'stores');
    await stores.kubectl('apply', '--filename', given('stores'));
    await stores.kubectl('wait', 'pods', '--all', '--for', 'condition=Ready', '--timeout', '5m');
    await operator.kubectl('create', 'namespace', 'production');
    await operator.kubectl('label', 'namespace', 'production', 'pod-security.kubernetes.io/enforce=restricted');
    await operator.kubectl('label', 'nodes', '--all', 'pool=edge', '--overwrite');
    await operator.kubectl('apply', '--filename', given('provided'));
    await provide('redis-authority', 'ca.crt', 'secret', 'redis');
    await provide('pgbackrest-example-net', 'pgbackrest.conf', 'configmap', 'postgresql');
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    await addSecret('mail-dkim', { stringData: { key: privateKey.export({ type: 'pkcs8', format: 'pem' }) } });
    keyFolder = await mkdtemp(path.join(tmpdir(), 'cadastre-keys-'));
    await signingKeys(keyFolder, 'create');
    const secret = await signingKeys(keyFolder, 'show', '--kubernetes', 'mirror-keys');
    await operator.kubectlWith(secret, 'apply', '--filename', '-');
  });

  afterAll(async () => {
    await operator?.kubectl('delete', 'namespace', 'production', 'stores', '--ignore-not-found');
    await rm(keyFolder, { recursive: true, force: true });
  });

  /** Copies an entry of a resource of the stores into a Secret for the release. */
  async function provide(name: string, entry: string, kind: string, source: string) {
    const { data } = JSON.parse(await stores.kubectl('get', kind, source, '--output', 'json'));
    await addSecret(name, { [kind === 'secret' ? 'data' : 'stringData']: { [entry]: data[entry] } });
  }

  async function addSecret(name: string, content: object) {
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name }, ...content };
    await operator.kubectlWith(JSON.stringify(secret), 'apply', '--filename', '-');
  }

  test('a registry installs, passes its test, and migrates again at an upgrade', async () => {
    await operator.helm('install', 'registry', chart, ...values, ...untilReady);
    await operator.helm('test', 'registry', '--timeout', '10m');
    await operator.helm('upgrade', 'registry', chart, ...values, '--set', 'logLevel=debug', ...untilReady);
    await operator.helm('test', 'registry', '--timeout', '10m');
  });

  test('gateways share their counts through the Redis that a Sentinel names, by TLS and with a password', async () => {
    const cli = ['redis-cli', '--tls', '--cacert', '/tls/ca.crt', '--no-auth-warning', '-a', 'redis'];
    const connections = async () => {
      const clients = await stores.kubectl('exec', 'redis', '--', ...cli, 'client', 'list');
      return clients.match(/name=cadastre-gateway/g)?.length;
    };
    // Pods of the version before may still be ending.
    await expect.poll(connections, { timeout: 120_000, interval: 2000 }).toBe(3);
  });

  test('mirror publishes the source to the volume that the gateways serve', async () => {
    const url = 'https://localhost:8443/nrtmv4/EXAMPLE/update-notification-file.jose';
    const read = `require('node:https').get('${url}', { rejectUnauthorized: false }, async (answer) => {
      const text = Buffer.concat(await answer.toArray()).toString();
      console.log(answer.statusCode, text.split('.').length);
    })`;
    const published = () =>
      operator.kubectl('exec', 'deployment/registry-cadastre-gateway', '--', 'node', '--eval', read);
    await expect.poll(published, { timeout: 300_000, interval: 2000 }).toBe('200 3\n');
  });

  test('events reaches the mail server of the operator', async () => {
    const image = 'jsonpath={.spec.template.spec.containers[0].image}';
    const ofGateway = await operator.kubectl('get', 'deployment', 'registry-cadastre-gateway', '--output', image);
    // Network policies allow only the ports of mail servers, which need root.
    const asRoot = JSON.stringify({ spec: { securityContext: { runAsUser: 0 } } });
    await stores.kubectl(
      'run',
      'mail',
      `--image=${ofGateway}`,
      `--overrides=${asRoot}`,
      '--command',
      '--',
      'node',
      '--eval',
      mailServer,
    );
    await stores.kubectl('expose', 'pod', 'mail', '--port', '587');
    await stores.kubectl('wait', 'pod/mail', '--for', 'condition=Ready', '--timeout', '5m');
    const cli = ['exec', 'deployment/registry-cadastre-cli', '--', 'node', 'main.js'];
    const sent = () =>
      operator.kubectl(...cli, 'mail', 'test', 'operator@example.net').catch((error: Error) => error.message);
    await expect.poll(sent, { timeout: 120_000, interval: 2000 }).toMatch(/^reply: +250 stored$/m);
    expect(await stores.kubectl('logs', 'mail')).toContain('to <operator@example.net>');
  });

  test('the restore drill restores the newest backup and finds what the registry has', async () => {
    const cli = ['exec', '--stdin', 'deployment/registry-cadastre-cli', '--', 'node', 'main.js'];
    await operator.kubectlWith(registry, ...cli, 'load', '--source', 'EXAMPLE', '--wait', '-');
    const backup = 'pgbackrest --stanza=main stanza-create && pgbackrest --stanza=main --type=full backup';
    await stores.kubectl('exec', 'postgresql', '--', 'bash', '-c', backup);
    await operator.kubectl('create', 'job', 'drill', '--from', 'cronjob/registry-cadastre-restore-drill');
    const ended = '--for=jsonpath={.status.conditions[0].status}=True';
    await operator.kubectl('wait', 'job/drill', ended, '--timeout', '10m');
    const log = await operator.kubectl('logs', 'job/drill');
    expect(log).toMatch(/ 2 objects, \d+ bytes\n/);
    expect(log).toContain(' the backup is complete\n');
    await operator.kubectl('delete', 'job', 'drill');
  });

  test('pods of other namespaces do not reach metrics, which monitoring alone reads', async () => {
    expect(
      await stores.kubectl(
        ...['exec', 'postgresql', '--', 'bash', '-c'],
        'timeout 5 bash -c "</dev/tcp/registry-cadastre-gateway-operations.production/9091" && echo open || echo closed',
      ),
    ).toBe('closed\n');
  });

  test('removal leaves only certificates and what the operator provided', async () => {
    await operator.helm('uninstall', 'registry', ...untilReady);
    const kinds = 'all,ingresses,hpa,netpol,certificates';
    const left = async () => (await operator.kubectl('get', kinds, '--output', 'name')).trim().split('\n');
    // Pods end after what made them.
    await expect
      .poll(left, { timeout: 120_000, interval: 2000 })
      .toEqual(['pod/registry-cadastre-test', 'networkpolicy.networking.k8s.io/registry-cadastre-test']);
  });
});
