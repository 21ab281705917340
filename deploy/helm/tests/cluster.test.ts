import { randomUUID } from 'node:crypto';
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { Manifest } from './manifest.js';
import { ofKind } from './manifest.js';
import { type Operator, operatorOf } from './operator.js';
import { chart } from './render.js';

// A real API server checks more than schemas do; it needs no nodes, because no pod must run.
const kubeconfig = process.env.CADASTRE_TEST_KUBECONFIG;
if (!kubeconfig) console.warn('SKIPPED: the chart on an API server; CADASTRE_TEST_KUBECONFIG names none');

/** Values without resources that need custom resource definitions. */
const withoutOperators = {
  'monitoring.serviceMonitor.enabled': false,
  'monitoring.rules.enabled': false,
  'monitoring.probes.enabled': false,
  'gatewayApi.enabled': false,
};

/** Values without cert-manager. */
const givenCertificates = {
  'internalTls.mode': 'existing',
  'internalTls.secretPrefix': 'tls',
  'gateway.tls.secretName': 'tls',
};

describe.skipIf(!kubeconfig)('a real API server', () => {
  const namespace = `chart-${randomUUID().slice(0, 8)}`;
  let api: CoreV1Api;
  let helm: Operator['helm'];

  beforeAll(async () => {
    const config = new KubeConfig();
    config.loadFromFile(kubeconfig!);
    ({ helm } = operatorOf(kubeconfig!, namespace));
    api = config.makeApiClient(CoreV1Api);
    const profile = 'pod-security.kubernetes.io';
    const labels = { [`${profile}/enforce`]: 'restricted', [`${profile}/warn`]: 'restricted' };
    await api.createNamespace({ body: { metadata: { name: namespace, labels } } });
  });

  afterAll(async () => {
    await api?.deleteNamespace({ name: namespace });
  });

  async function secrets(revision: number): Promise<Manifest[]> {
    const { stdout } = await helm('get', 'manifest', 'kept', '--revision', String(revision));
    return ofKind(
      parseAllDocuments(stdout).map((document) => document.toJS() as Manifest),
      'Secret',
    );
  }

  test.each<[string, Record<string, string | boolean>]>([
    ['minimal', {}],
    ['small', {}],
    ['mesh', {}],
    ['test', {}],
    ['one-node', givenCertificates],
    ['small-production', givenCertificates],
    ['production', givenCertificates],
  ])('accepts everything of ci/%s-values.yaml, without a warning', async (values, settings) => {
    const set = Object.entries({ ...withoutOperators, ...settings }).flatMap(([path, value]) => [
      '--set',
      `${path}=${value}`,
    ]);
    const file = `${chart}ci/${values}-values.yaml`;
    // Without hooks: nothing runs the jobs.
    const { stderr } = await helm('install', values, chart, '--values', file, ...set, '--no-hooks');
    expect(stderr).toBe('');
  });

  test('keeps passwords and certificates of the first installation', async () => {
    await helm('install', 'kept', chart, '--no-hooks');
    await helm('upgrade', 'kept', chart, '--no-hooks', '--set', 'logLevel=debug');
    const first = await secrets(1);
    expect(first.length).toBeGreaterThan(8);
    const contents = (found: Manifest[]) =>
      found.map(({ metadata, data, stringData }) => [metadata.name, data, stringData]);
    expect(contents(await secrets(2))).toEqual(contents(first));
  });
});
