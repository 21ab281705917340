import { expect, test } from 'vitest';
import { containers, type Manifest, named, ofKind, services, workloads } from './manifest.js';
import { cases, refusal, render } from './render.js';

const servicesOf = (manifests: Manifest[]) => ofKind(manifests, 'Service');
const publicService = (manifests: Manifest[]) => named(manifests, 'Service', 'trial-cadastre-gateway').spec;

/** The values of the settings that name addresses to listen on. */
function listening(manifests: Manifest[]): string[] {
  return services(manifests).flatMap((workload) =>
    containers(workload).flatMap(({ env = [] }) =>
      env.filter(({ name }) => /^CADASTRE_(LISTEN|OPERATIONS)$/.test(name)).map(({ value }) => value!),
    ),
  );
}

test.each([
  ['the families of the cluster', {}, [undefined, undefined], '0.0.0.0'],
  ['IPv4', { 'network.ipFamilies': ['IPv4'] }, [undefined, ['IPv4']], '0.0.0.0'],
  ['IPv6', { 'network.ipFamilies': ['IPv6'] }, [undefined, ['IPv6']], '[::]'],
  ['both', { 'network.ipFamilyPolicy': 'PreferDualStack' }, ['PreferDualStack', undefined], '[::]'],
  [
    'both, IPv6 first',
    { 'network.ipFamilyPolicy': 'RequireDualStack', 'network.ipFamilies': ['IPv6', 'IPv4'] },
    ['RequireDualStack', ['IPv6', 'IPv4']],
    '[::]',
  ],
])('every Service has %s, and pods listen on these', async (_, setJson, families, address) => {
  const manifests = await render({ setJson });
  for (const { spec } of servicesOf(manifests)) expect([spec.ipFamilyPolicy, spec.ipFamilies]).toEqual(families);
  expect(servicesOf(manifests).length).toBeGreaterThan(6);
  expect(new Set(listening(manifests))).toEqual(new Set([`${address}:9090`, `${address}:9091`]));
});

test.each([
  ['ClusterIP', {}, { type: 'ClusterIP', externalTrafficPolicy: undefined, loadBalancerSourceRanges: undefined }],
  ['NodePort', {}, { type: 'NodePort', externalTrafficPolicy: 'Local', loadBalancerSourceRanges: undefined }],
  [
    'LoadBalancer',
    {
      'gateway.service.externalTrafficPolicy': 'Cluster',
      'gateway.service.loadBalancerClass': 'example.net/balancer',
    },
    {
      externalTrafficPolicy: 'Cluster',
      loadBalancerClass: 'example.net/balancer',
      loadBalancerSourceRanges: ['192.0.2.0/24', '2001:db8::/32'],
    },
  ],
])('the public Service of type %s', async (type, values, expected) => {
  const ranges = { 'gateway.service.loadBalancerSourceRanges': ['192.0.2.0/24', '2001:db8::/32'] };
  const spec = publicService(await render({ setJson: { 'gateway.service.type': type, ...ranges, ...values } }));
  expect(spec).toMatchObject(Object.fromEntries(Object.entries(expected).filter(([, value]) => value !== undefined)));
  for (const [name, value] of Object.entries(expected)) if (value === undefined) expect(spec[name]).toBeUndefined();
});

test('pods get labels of the operator, which select nothing', async () => {
  const manifests = await render({ setJson: { podLabels: { team: 'registry' } } });
  for (const { labels, name } of workloads(manifests)) expect(labels.team, name).toBe('registry');
  const selectors = manifests.map(({ spec }) => JSON.stringify(spec?.selector ?? spec?.podSelector ?? {}));
  expect(selectors.filter((selector) => selector.includes('team'))).toEqual([]);
});

test.each(['app.kubernetes.io/name', 'app.kubernetes.io/component', 'helm.sh/chart'])(
  'the label %s belongs to the chart',
  async (label) => {
    const said = await refusal({ setJson: { podLabels: { [label]: 'x' }, commonLabels: { [label]: 'x' } } });
    expect(said).toContain("at '/podLabels/");
    expect(said).toContain("at '/commonLabels/");
  },
);

test.each(cases)('everything of ci/%s-values.yaml gets the labels and annotations of the operator', async (values) => {
  const setJson = { commonLabels: { team: 'registry' }, commonAnnotations: { 'example.net/contact': 'noc' } };
  const manifests = await render({ values, setJson });
  for (const { kind, metadata } of manifests) {
    expect(metadata.labels, `${kind} ${metadata.name}`).toMatchObject({ team: 'registry' });
    expect(metadata.annotations, `${kind} ${metadata.name}`).toMatchObject({ 'example.net/contact': 'noc' });
  }
  for (const { labels, name } of workloads(manifests)) expect(labels.team, name).toBe('registry');
  const selectors = manifests.map(({ spec }) => JSON.stringify(spec?.selector ?? spec?.podSelector ?? {}));
  expect(selectors.filter((selector) => selector.includes('team'))).toEqual([]);
});

test('another name is in all names and selectors', async () => {
  const manifests = await render({ values: 'production', set: { nameOverride: 'registry' } });
  for (const { kind, metadata } of manifests) {
    expect(metadata.name, kind).toMatch(/^trial-registry/);
    expect(metadata.labels, kind).toMatchObject({ 'app.kubernetes.io/name': 'registry' });
  }
  expect(JSON.stringify(manifests)).not.toContain('trial-cadastre');
});

test.each<[string, Record<string, unknown>, (name: string) => string, number]>([
  ['an account of its own', {}, (name) => name, 1],
  ['one that exists', { 'defaults.serviceAccount': { create: false, name: 'registry' } }, () => 'registry', 0],
  ['that of the namespace', { 'defaults.serviceAccount.create': false }, () => 'default', 0],
])('every pod has %s', async (_, setJson, expected, made) => {
  const manifests = await render({ values: 'production', setJson });
  const found = workloads(manifests);
  for (const { name, pod } of found) expect(pod.serviceAccountName, name).toBe(expected(name));
  expect(ofKind(manifests, 'ServiceAccount')).toHaveLength(made * found.length);
});

test('a service has an account by another name, made by the chart or not', async () => {
  const setJson = {
    'mirror.serviceAccount': { name: 'publisher', annotations: { 'example.net/role': 'writer' } },
    'auth.serviceAccount': { name: 'accounts', create: false },
  };
  const manifests = await render({ values: 'production', setJson });
  const accounts = Object.fromEntries(
    services(manifests).map(({ component, pod }) => [component, pod.serviceAccountName]),
  );
  expect(accounts).toMatchObject({ mirror: 'publisher', auth: 'accounts', objects: 'trial-cadastre-objects' });
  const names = ofKind(manifests, 'ServiceAccount').map(({ metadata }) => metadata.name);
  expect(names).toContain('publisher');
  expect(names).not.toContain('accounts');
  expect(names).not.toContain('trial-cadastre-auth');
  expect(named(manifests, 'ServiceAccount', 'publisher').metadata.annotations).toMatchObject({
    'example.net/role': 'writer',
  });
});

test('a slow second of the database takes no pod away, and a hung gateway gets nothing after two', async () => {
  // A failed check is repeated after a second (libs/service/src/operations.ts); PostgreSQL is slow after one, too.
  const slow = { database: 1, recheck: 1, margin: 5 };
  const manifests = await render({ values: 'production', set: { 'whois.enabled': true } });
  const deployments = services(manifests).filter(({ kind }) => kind === 'Deployment');
  expect(deployments).toHaveLength(7);
  for (const { component, pod } of deployments) {
    const { periodSeconds = 10, failureThreshold = 3, timeoutSeconds = 1 } = pod.containers[0]!.readinessProbe!;
    const seconds = periodSeconds * failureThreshold;
    // Nothing but the operations port answers: a probe never waits for the database.
    expect(timeoutSeconds, component).toBeLessThanOrEqual(periodSeconds);
    if (component === 'gateway') expect(seconds).toBe(2);
    else expect(seconds, component).toBeGreaterThan(slow.database + slow.recheck + slow.margin);
  }
});

test.each(['gateway', 'objects', 'auth', 'search'])('%s gets volumes, containers and an identity', async (name) => {
  const sidecar = { name: 'proxy', image: 'registry.example.net/proxy:1' };
  const manifests = await render({
    setJson: {
      [`${name}.extraVolumes`]: [{ name: 'sockets', emptyDir: {} }],
      [`${name}.extraVolumeMounts`]: [{ name: 'sockets', mountPath: '/run/sockets' }],
      [`${name}.extraContainers`]: [sidecar],
      [`${name}.serviceAccount.annotations`]: { 'example.net/role': 'reader' },
    },
  });
  const { pod } = services(manifests).find(({ component }) => component === name)!;
  expect(pod.containers[0]!.volumeMounts).toContainEqual({ name: 'sockets', mountPath: '/run/sockets' });
  expect(pod.containers[1]).toEqual(sidecar);
  expect(pod.volumes).toContainEqual({ name: 'sockets', emptyDir: {} });
  const accounts = ofKind(manifests, 'ServiceAccount').filter(
    ({ metadata }) => metadata.annotations?.['example.net/role'],
  );
  expect(accounts.map(({ metadata }) => metadata.name)).toEqual([pod.serviceAccountName]);
});

test('further manifests belong to the release', async () => {
  const settings = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: '{{ .Release.Name }}-one' },
    data: { a: 'b' },
  };
  const text = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ include "cadastre.fullname" . }}-two\n';
  const manifests = await render({ setJson: { extraManifests: [settings, text] } });
  expect(named(manifests, 'ConfigMap', 'trial-one').data).toEqual({ a: 'b' });
  expect(named(manifests, 'ConfigMap', 'trial-cadastre-two').kind).toBe('ConfigMap');
});
