import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Operator, operatorOf } from './operator.js';
import { chart } from './render.js';

// An installation with production values in a cluster that runs pods. Databases and Redis are outside of the release;
// certificates come from cert-manager or a stand-in. `make test-cluster` provides the cluster.
const kubeconfig = process.env.CADASTRE_TEST_KUBECONFIG;
const runsPods = process.env.CADASTRE_TEST_PREVIOUS_CHART;
if (!runsPods) console.warn('SKIPPED: production values in a cluster; CADASTRE_TEST_PREVIOUS_CHART names no chart');

vi.setConfig({ testTimeout: 1_800_000, hookTimeout: 600_000 });
const patience = ['--wait', '--timeout', '25m'];

describe.skipIf(!kubeconfig || !runsPods)('production values in a cluster', () => {
  const given = (name: string) => fileURLToPath(new URL(`production/${name}.yaml`, import.meta.url));
  const values = ['--values', `${chart}ci/production-values.yaml`, '--values', given('values')];
  let operator: Operator;
  let stores: Operator;

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
  });

  afterAll(async () => {
    await operator?.kubectl('delete', 'namespace', 'production', 'stores', '--ignore-not-found');
  });

  test('a registry installs, passes its test, and migrates again at an upgrade', async () => {
    await operator.helm('install', 'registry', chart, ...values, ...patience);
    await operator.helm('test', 'registry', '--timeout', '10m');
    await operator.helm('upgrade', 'registry', chart, ...values, '--set', 'logLevel=debug', ...patience);
    await operator.helm('test', 'registry', '--timeout', '10m');
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
    await operator.helm('uninstall', 'registry', ...patience);
    const left = await operator.kubectl('get', 'all,ingresses,hpa,netpol,certificates', '--output', 'name');
    expect(left.trim().split('\n')).toEqual([
      'pod/registry-cadastre-test',
      'networkpolicy.networking.k8s.io/registry-cadastre-test',
    ]);
  });
});
