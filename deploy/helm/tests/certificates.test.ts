import { createPrivateKey, X509Certificate } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { environment, type Manifest, named, ofKind, services } from './manifest.js';
import { render } from './render.js';

const parts = ['gateway', 'objects', 'auth', 'search', 'events', 'whois', 'mirror', 'operator'];

interface Identity {
  certificate: X509Certificate;
  key: string;
  authority: X509Certificate;
}

function identity(manifests: Manifest[], secret: string): Identity {
  const data = named(manifests, 'Secret', secret).data!;
  const pem = (name: string) => Buffer.from(data[name]!, 'base64').toString();
  const [certificate, authority] = ['tls.crt', 'ca.crt'].map((name) => new X509Certificate(pem(name)));
  return { certificate: certificate!, authority: authority!, key: pem('tls.key') };
}

function namesIn(certificate: X509Certificate): string[] {
  return (certificate.subjectAltName ?? '').split(', ').map((name) => name.replace(/^DNS:/, ''));
}

/** The names that services expect in certificates: part to name. */
function peers(manifests: Manifest[]): Record<string, string> {
  const objects = services(manifests).find(({ component }) => component === 'objects')!;
  const settings = environment(objects.pod.containers[0]!);
  const own = settings.CADASTRE_RPC_PEERS!.split(',').map((pair) => pair.split('='));
  return { ...Object.fromEntries(own), operator: settings.CADASTRE_OPERATORS!.split(',')[0]! };
}

describe('certificates of the chart for evaluation', () => {
  test.each(parts)('%s: signed by the CA of the release, valid for its name and its address', async (part) => {
    const manifests = await render();
    const { certificate, authority, key } = identity(manifests, `trial-cadastre-${part}-tls`);
    expect(certificate.verify(authority.publicKey)).toBe(true);
    expect(certificate.checkPrivateKey(createPrivateKey(key))).toBe(true);
    expect(authority.ca).toBe(true);
    expect(namesIn(certificate)).toEqual([peers(manifests)[part], `trial-cadastre-${part}`]);
  });

  test('the public one is valid for the host, inside the cluster, and through a forwarded port', async () => {
    const manifests = await render({ set: { 'gateway.host': 'rest.example.net' } });
    const { certificate } = identity(manifests, 'trial-cadastre-public-tls');
    for (const host of ['rest.example.net', 'trial-cadastre-gateway', 'localhost']) {
      expect(certificate.checkHost(host), host).toBe(host);
    }
  });
});

describe('certificates by cert-manager', () => {
  const set = { 'internalTls.mode': 'certManager' };

  test('each part has one for its name and its address, for server and client', async () => {
    const manifests = await render({ set });
    for (const part of parts) {
      const { spec } = named(manifests, 'Certificate', `trial-cadastre-${part}-tls`);
      expect(spec.dnsNames).toEqual([peers(manifests)[part], `trial-cadastre-${part}`]);
      expect(spec.usages).toEqual(expect.arrayContaining(['server auth', 'client auth']));
      expect(spec.issuerRef).toEqual({ name: 'trial-cadastre-authority', kind: 'Issuer', group: 'cert-manager.io' });
    }
    expect(ofKind(manifests, 'Issuer')).toHaveLength(2);
  });

  test('with an issuer of the operator the release has no CA', async () => {
    const issuer = { name: 'inside', kind: 'ClusterIssuer' };
    const manifests = await render({ set, setJson: { 'internalTls.certManager.issuerRef': issuer } });
    expect(named(manifests, 'Certificate', 'trial-cadastre-search-tls').spec.issuerRef).toEqual(issuer);
    expect(ofKind(manifests, 'Issuer')).toEqual([]);
  });
});

test('given certificates have the names in the values', async () => {
  const manifests = await render({ values: 'test' });
  const found = peers(manifests);
  expect([found.gateway, found.objects]).toEqual([
    'gateway.registry.example.net',
    'trial-cadastre-objects.registry.svc',
  ]);
  const gateway = services(manifests).find(({ component }) => component === 'gateway')!;
  expect(gateway.pod.volumes).toContainEqual(
    expect.objectContaining({
      name: 'internal-tls',
      secret: { secretName: 'registry-test-gateway', defaultMode: 0o440 },
    }),
  );
});

test('without TLS the services have the setting for it, and expect no certificates', async () => {
  const manifests = await render({ values: 'mesh' });
  for (const { pod, component } of services(manifests).filter(({ kind }) => kind === 'Deployment')) {
    const settings = environment(pod.containers[0]!);
    expect(settings.CADASTRE_TLS_CERT_FILE).toBeUndefined();
    expect(settings.CADASTRE_RPC_PLAINTEXT).toBe(component === 'gateway' ? undefined : 'true');
  }
});

test('in two environments with the same CA no service accepts one of the other', async () => {
  const issuer = { 'internalTls.certManager.issuerRef': { name: 'inside', kind: 'ClusterIssuer' } };
  const [one, two] = await Promise.all(
    ['test', 'production'].map((release) =>
      render({ release, set: { 'internalTls.mode': 'certManager' }, setJson: issuer }),
    ),
  );
  const inOther = new Set(ofKind(two!, 'Certificate').flatMap(({ spec }) => spec.dnsNames));
  expect(Object.values(peers(one!)).filter((name) => inOther.has(name))).toEqual([]);
});

test('further names, and those for RDAP alone, are in the certificate, the Ingress and the routes', async () => {
  const manifests = await render({
    values: 'production',
    set: { 'gatewayApi.className': 'example', 'ingress.enabled': true, 'gatewayApi.enabled': true },
  });
  const [certificate] = ofKind(manifests, 'Certificate').filter(({ spec }) =>
    spec.dnsNames?.includes('rest.example.net'),
  );
  expect(certificate?.spec.dnsNames).toEqual(expect.arrayContaining(['www.example.net', 'rdap.example.net']));
  const rules = named(manifests, 'Ingress', 'trial-cadastre-gateway').spec.rules;
  expect(rules.map(({ host }: { host: string }) => host)).toEqual([
    'rest.example.net',
    'www.example.net',
    'rdap.example.net',
  ]);
  const routed = ['HTTPRoute', 'TLSRoute']
    .flatMap((kind) => ofKind(manifests, kind))
    .flatMap(({ spec }) => spec.hostnames);
  for (const host of ['www.example.net', 'rdap.example.net'])
    expect(routed.filter((one) => one === host)).toHaveLength(2);
});

test.each<[string, object, unknown[]]>([
  [
    'one certificate for all names',
    {},
    [{ hosts: ['rest.example.net', 'www.example.net', 'rdap.example.net'], secretName: 'rest' }],
  ],
  [
    'one of its own for a name',
    { 'ingress.extraTls': [{ hosts: ['www.example.net'], secretName: 'www' }] },
    [
      { hosts: ['rest.example.net', 'rdap.example.net'], secretName: 'rest' },
      { hosts: ['www.example.net'], secretName: 'www' },
    ],
  ],
])('the Ingress has %s', async (_, setJson, expected) => {
  const names = { 'gateway.extraHosts': ['www.example.net'], 'gateway.rdap.hosts': ['rdap.example.net'] };
  const manifests = await render({
    set: { 'gateway.host': 'rest.example.net', 'gateway.tls.secretName': 'rest', 'ingress.enabled': true },
    setJson: { ...names, ...setJson },
  });
  expect(named(manifests, 'Ingress', 'trial-cadastre-gateway').spec.tls).toEqual(expected);
});
