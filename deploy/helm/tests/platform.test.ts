import { expect, test } from 'vitest';
import { containers, type Manifest, named, ofKind, services, workloads } from './manifest.js';
import { refusal, render } from './render.js';

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
  async (label) => expect(await refusal({ setJson: { podLabels: { [label]: 'x' } } })).toContain("at '/podLabels/"),
);

test.each(['gateway', 'objects', 'auth', 'search', 'geo'])(
  '%s gets volumes, containers and an identity',
  async (name) => {
    const sidecar = { name: 'proxy', image: 'registry.example.net/proxy:1' };
    const manifests = await render({
      setJson: {
        [`${name}.extraVolumes`]: [{ name: 'sockets', emptyDir: {} }],
        [`${name}.extraVolumeMounts`]: [{ name: 'sockets', mountPath: '/run/sockets' }],
        [`${name}.extraContainers`]: [sidecar],
        [`${name}.serviceAccountAnnotations`]: { 'example.net/role': 'reader' },
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
  },
);

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
