import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { type Manifest, named, ofKind, services, workloads } from './manifest.js';
import { chart, notes, type Rendering, refusal, render } from './render.js';
import { problemsOf } from './schemas.js';

const production = {
  environment: 'production',
  'objects.database.secretName': 'objects',
  'auth.database.secretName': 'auth',
  'gateway.redis.secretName': 'redis',
  'gateway.tls.secretName': 'public',
  'gateway.baseUrl': 'https://rest.example.net',
  'internalTls.mode': 'certManager',
};

describe('a value of the wrong form is refused by name', () => {
  test.each<[string, NonNullable<Rendering['setJson']>, string]>([
    [
      'a name that does not exist',
      { 'gateway.replcas': 2 },
      "at '/gateway': additional properties 'replcas' not allowed",
    ],
    ['an unknown section', { gatway: {} }, "additional properties 'gatway' not allowed"],
    ['a removed section', { 'gateway.redis': null }, "at '/gateway': missing property 'redis'"],
    ['an environment', { environment: 'staging' }, "at '/environment': value must be one of 'production', 'test'"],
    ['a text for a number', { 'objects.replicas': 'two' }, "at '/objects/replicas': got string, want integer"],
    ['no pods', { 'auth.replicas': 0 }, "at '/auth/replicas': minimum: got 0, want 1"],
    ['a source', { source: 'NO SPACES' }, "at '/source'"],
    ['an alias without sources', { sourceAliases: { SECURE: [] } }, "at '/sourceAliases/SECURE'"],
    ['a port', { 'gateway.service.httpPort': 70_000 }, "at '/gateway/service/httpPort'"],
    ['a policy about routes', { roaPolicy: ['TEST=drop'] }, "at '/roaPolicy/0'"],
    ['a log level', { logLevel: 'loud' }, "at '/logLevel'"],
    [
      'a number as setting',
      { 'objects.env': { CADASTRE_X: 1 } },
      "at '/objects/env/CADASTRE_X': got number, want string",
    ],
    [
      'a setting in small letters',
      { env: { cadastre_x: '1' } },
      "at '/env': additional properties 'cadastre_x' not allowed",
    ],
    ['a Secret name', { 'objects.database.secretName': 'Not_A_Name' }, "at '/objects/database/secretName'"],
    ['a URL', { 'gateway.baseUrl': 'rest.example.net' }, "at '/gateway/baseUrl'"],
    ['a host', { 'gateway.host': 'https://rest.example.net' }, "at '/gateway/host'"],
    ['a proxy', { 'gateway.trustedProxies': ['proxy.example.net'] }, "at '/gateway/trustedProxies/0'"],
    ['a search adapter', { 'search.adapter': 'mysql' }, "at '/search/adapter'"],
    ['a source of certificates', { 'internalTls.mode': 'maybe' }, "at '/internalTls/mode'"],
    ['a duration', { 'internalTls.certManager.duration': '90 days' }, "at '/internalTls/certManager/duration'"],
    ['a right of an operator', { 'operators.allow': ['billing'] }, "at '/operators/allow/0'"],
    ['a file without source', { 'search.files': { roa: {} } }, "at '/search/files/roa'"],
    [
      'a file that replaces another',
      { 'search.files': { database: { secretName: 'x' } } },
      "at '/search/files/database'",
    ],
    ['a field of a pod', { 'auth.pod': { hostNetwork: true } }, "at '/auth/pod': additional properties 'hostNetwork'"],
    ['a digest', { 'image.digests': { cli: 'latest' } }, "at '/image/digests/cli'"],
  ])('%s', async (_, setJson, said) => {
    expect(await refusal({ setJson })).toContain(said);
  });
});

test('a file of the operator replaces none of the chart', async () => {
  const optional = { 'mirror.enabled': true, 'mirror.keys.secretName': 'k' };
  const renderings: Rendering[] = [
    { values: 'production' },
    { set: { 'search.adapter': 'opensearch', 'search.opensearch.secretName': 'o' } },
    { set: optional, setJson: { 'mirror.publish': ['TEST'] } },
    { set: { ...optional, 'mirror.s3.secretName': 's' }, setJson: { 'mirror.publish': ['TEST'] } },
  ];
  const own = ['redirects', 'bootstrap', 'roa']; // Those of ci/production-values.yaml.
  const pods = (await Promise.all(renderings.map(render))).flatMap(services).map(({ kind, pod }) => ({ kind, pod }));
  const names = pods
    .filter(({ kind }) => kind === 'Deployment')
    .flatMap(({ pod }) => pod.volumes!.map(({ name }) => name))
    .filter((name) => !own.includes(name));
  const files = Object.fromEntries(names.map((name) => [name, { secretName: 'mine' }]));
  const said = await refusal({ setJson: { 'objects.files': files } });
  for (const name of new Set(names)) expect(said).toContain(`at '/objects/files/${name}'`);
});

describe('impossible values are refused, all at once', () => {
  test.each<[string, NonNullable<Rendering['set']>, string[]]>([
    [
      'production with nothing else',
      { environment: 'production' },
      [
        'objects.database.secretName',
        'auth.database.secretName',
        'gateway.redis.secretName',
        'internalTls.mode',
        'gateway.baseUrl',
      ],
    ],
    ['no evaluation and no stores', { 'evaluation.enabled': false }, ['objects.database', 'gateway.redis']],
    [
      'OpenSearch without cluster',
      { 'search.adapter': 'opensearch' },
      ['search.adapter=opensearch needs search.opensearch.secretName'],
    ],
    ['production without certificate', { ...production, 'gateway.tls.secretName': '' }, ['gateway.tls.secretName']],
    ['production with generated certificates', { ...production, 'internalTls.mode': 'generated' }, ['for evaluation']],
    ['given certificates without name', { 'internalTls.mode': 'existing' }, ['internalTls.secretPrefix']],
    [
      'a restore drill without image',
      { 'restoreDrill.enabled': true },
      ['restoreDrill.enabled needs restoreDrill.image, restoreDrill.secretName and objects.database.secretName'],
    ],
    ['an Ingress without host', { 'ingress.enabled': true }, ['ingress.enabled needs gateway.host']],
    [
      'a policy about routes that only searches apply',
      { 'search.roa.source': '/run/files/roa.json', 'whois.enabled': true, roaPolicy: '{hide}' },
      ['roaPolicy needs search.roa.source and whois.roa.source'],
    ],
    [
      'an account for everything that nobody made',
      { 'defaults.serviceAccount.name': 'registry' },
      ['defaults.serviceAccount.name needs defaults.serviceAccount.create=false'],
    ],
    ['further names without the first', { 'gateway.extraHosts': '{a.example.net}' }, ['needs gateway.host']],
    ['routes without host', { 'gatewayApi.enabled': true }, ['gatewayApi.enabled needs gateway.host']],
    ['routes without a Gateway', { 'gatewayApi.enabled': true, 'gateway.host': 'a.example.net' }, ['parentRefs']],
    [
      'an issuer without host',
      { 'gateway.tls.issuerRef.name': 'public' },
      ['gateway.tls.issuerRef needs gateway.host'],
    ],
    ['sign-in without redirect URL', { 'auth.oidc.issuer': 'https://id.example.net' }, ['auth.oidc.issuer needs']],
    [
      'a maximum of pods below the minimum',
      { 'auth.autoscaling.enabled': true, 'auth.autoscaling.maxReplicas': 1 },
      ['auth.autoscaling.maxReplicas is below auth.replicas'],
    ],
  ])('%s', async (_, set, said) => {
    const text = await refusal({ set });
    expect(text).toContain('These values cannot be installed:');
    for (const part of said) expect(text).toContain(part);
  });
});

describe('what every service has', () => {
  const parts = ['gateway', 'objects', 'auth', 'search', 'events', 'whois', 'mirror'];
  const all = {
    'events.enabled': true,
    'events.mail.secretName': 'mail',
    'events.mail.from': 'noreply@example.net',
    'whois.enabled': true,
    'mirror.enabled': true,
  };
  const deployments = async (setJson: object) => {
    const manifests = await render({ set: all, setJson: { 'mirror.dumps': ['TEST'], ...setJson } });
    return ofKind(manifests, 'Deployment').filter(({ metadata }) => !metadata.name.endsWith('-cli'));
  };
  const partOf = ({ metadata }: Manifest) => metadata.labels!['app.kubernetes.io/component']!;

  test('comes from defaults, unless the service has its own', async () => {
    const found = await deployments({ 'defaults.replicas': 3, 'auth.replicas': 1, 'search.autoscaling.enabled': true });
    const replicas = Object.fromEntries(found.map((one) => [partOf(one), one.spec.replicas]));
    expect(replicas).toEqual({
      ...Object.fromEntries(parts.map((part) => [part, 3])),
      auth: 1,
      search: undefined,
    });
  });

  test('may be switched off and emptied by a service', async () => {
    const found = await deployments({
      'defaults.autoscaling.enabled': true,
      'defaults.extraEnv': [{ name: 'ZONE', value: 'a' }],
      'auth.autoscaling.enabled': false,
      'auth.extraEnv': [],
      'auth.resources': { limits: null },
    });
    const scaled = found.filter(({ spec }) => spec.replicas === undefined).map(partOf);
    expect(scaled.sort()).toEqual(parts.filter((part) => part !== 'auth').sort());
    const auth = found.find((one) => partOf(one) === 'auth')!.spec.template.spec.containers[0];
    expect([auth.resources, auth.env.some(({ name }: { name: string }) => name === 'ZONE')]).toEqual([
      { requests: { cpu: '100m', memory: '96Mi' } },
      false,
    ]);
  });

  test.each(parts)('%s gets variables from elsewhere, which replace its settings', async (part) => {
    const fieldPath = { fieldRef: { fieldPath: 'spec.nodeName' } };
    const extraEnv = [
      { name: 'NODE_NAME', valueFrom: fieldPath },
      { name: 'CADASTRE_LOG_LEVEL', valueFrom: { configMapKeyRef: { name: 'levels', key: part } } },
    ];
    const extraEnvFrom = [{ configMapRef: { name: 'settings' } }];
    const found = await deployments({ [`${part}.extraEnv`]: extraEnv, [`${part}.extraEnvFrom`]: extraEnvFrom });
    for (const one of found) {
      const { env, envFrom } = one.spec.template.spec.containers[0];
      const names = env.map(({ name }: { name: string }) => name);
      expect(new Set(names).size).toBe(names.length);
      if (partOf(one) !== part) expect([names.includes('NODE_NAME'), envFrom]).toEqual([false, undefined]);
      else expect([env, envFrom]).toEqual([expect.arrayContaining(extraEnv), extraEnvFrom]);
    }
  });
});

describe('secrets', () => {
  test.each(['CADASTRE_DATABASE_URL', 'CADASTRE_DIRECTORY_TOKEN', 'CADASTRE_OIDC_CLIENT_SECRET'])(
    '%s is refused in env: it belongs in a file',
    async (name) => {
      expect(await refusal({ setJson: { 'auth.env': { [name]: 'x' } } })).toContain(`at '/auth/env/${name}'`);
    },
  );
});

describe('the example of a PostgreSQL by CloudNativePG', () => {
  const example = parseAllDocuments(readFileSync(`${chart}examples/cloudnativepg.yaml`, 'utf8')).map(
    (document) => document.toJS() as Manifest,
  );
  const { metadata, spec } = ofKind(example, 'Cluster')[0]!;

  test('is what the operator accepts', async () => {
    expect((await Promise.all(example.map(problemsOf))).flat()).toEqual([]);
  });

  test('acknowledges no write that only the primary has', () => {
    expect(spec.postgresql.synchronous).toEqual({ method: 'any', number: 1, dataDurability: 'required' });
    expect(spec.instances).toBeGreaterThan(spec.postgresql.synchronous.number);
  });

  test('has the databases, roles and Secrets of the values, and its CA', async () => {
    const owners = ['objects', 'auth', 'mirror'];
    expect(ofKind(example, 'Database').map((one) => [one.spec.name, one.spec.owner])).toEqual(
      owners.map((owner) => [owner, owner]),
    );
    const secrets = Object.fromEntries(
      spec.managed.roles.map((role: { name: string; passwordSecret: { name: string } }) => [
        role.name,
        role.passwordSecret.name,
      ]),
    );
    expect(Object.keys(secrets)).toEqual(owners);
    const rendered = services(await render({ values: 'cloudnativepg' }));
    for (const owner of ['objects', 'auth']) {
      const { volumes } = rendered.find(({ component }) => component === owner)!.pod;
      const mounted = volumes!.map(({ secret }) => secret?.secretName);
      expect(mounted).toEqual(expect.arrayContaining([secrets[owner], `${metadata.name}-ca`]));
    }
  });

  test('has the connections that the notes of the release ask for', async () => {
    const { max_connections: allowed } = spec.postgresql.parameters;
    expect(Number(allowed)).toBeGreaterThanOrEqual(await requestedConnections({ values: 'cloudnativepg' }));
  });
});

// A pod of objects has 14 connections besides those for writes, or as many as the settings say.
test.each<[string, Rendering, number]>([
  ['two pods, and one during an upgrade', {}, 20 + 24 * 3 + 7 * 3],
  ['the largest number of pods, and the settings of a pod', { values: 'cloudnativepg' }, 20 + 26 * 5 + 7 * 3],
  ['settings of every service', { setJson: { env: { CADASTRE_OBJECTS_READ_CONNECTIONS: '20' } } }, 20 + 40 * 3 + 7 * 3],
])('the notes ask PostgreSQL for connections for %s', async (_, o, expected) => {
  expect(await requestedConnections(o)).toBe(expected);
});

async function requestedConnections(o: Rendering): Promise<number> {
  return Number(/max_connections of at least (\d+)/.exec(await notes(o))![1]);
}

test.each(['objects', 'auth'])('%s checks the database with the CA of its Secret', async (name) => {
  const manifests = await render({ set: { ...production, [`${name}.database.caSecretName`]: 'authority' } });
  const using = [`Deployment trial-cadastre-${name}`, `Job trial-cadastre-migrate-${name}`];
  const found = workloads(manifests).filter(({ pod }) => JSON.stringify(pod).includes('CADASTRE_STORE_CA_FILE'));
  expect(found.map((one) => `${one.kind} ${one.name}`).sort()).toEqual(using);
  for (const { pod } of found) expect(JSON.stringify(pod.volumes)).toContain('authority');
});

test.each(['objects'])(
  '%s alone gets the URL of its read replicas, and may reach them beside a database of the release',
  async (name) => {
    const manifests = await render({ set: { [`${name}.readReplicas.secretName`]: 'readers' } });
    const found = workloads(manifests).filter(({ pod }) => JSON.stringify(pod).includes('READ_DATABASE_URL_FILE'));
    expect(found.map((one) => `${one.kind} ${one.name}`)).toEqual([`Deployment trial-cadastre-${name}`]);
    expect(JSON.stringify(found[0]!.pod.volumes)).toContain('readers');
    expect(named(manifests, 'NetworkPolicy', `trial-cadastre-${name}`).spec.egress).toContainEqual({
      ports: [{ port: 5432 }],
    });
  },
);

describe('the index of search', () => {
  const volumes = async (o: Rendering) => {
    const search = services(await render(o)).find(({ component }) => component === 'search')!;
    const { readOnlyRootFilesystem } = search.pod.containers[0]!.securityContext!;
    const mount = search.pod.containers[0]!.volumeMounts!.find(({ name }) => name === 'index');
    return { readOnlyRootFilesystem, mount, volume: search.pod.volumes!.find(({ name }) => name === 'index') };
  };
  const mount = { name: 'index', mountPath: '/run/files/index' };

  test('is on the disk of the node, of a size that the values name', async () => {
    const volume = { name: 'index', emptyDir: { sizeLimit: '20Gi' } };
    const set = { 'search.volume.size': '20Gi' };
    expect(await volumes({ set })).toEqual({ readOnlyRootFilesystem: true, mount, volume });
  });

  test('is on a volume of its own with a class of volumes', async () => {
    const spec = {
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'fast',
      resources: { requests: { storage: '8Gi' } },
    };
    const volume = { name: 'index', ephemeral: { volumeClaimTemplate: { spec } } };
    const set = { 'search.volume.storageClass': 'fast' };
    expect(await volumes({ set })).toEqual({ readOnlyRootFilesystem: true, mount, volume });
  });

  test('needs no volume with OpenSearch', async () => {
    const { volume } = await volumes({ set: { 'search.adapter': 'opensearch', 'search.opensearch.secretName': 'o' } });
    expect(volume).toBeUndefined();
  });
});

describe('stores for evaluation', () => {
  const stores = async (o: Rendering) =>
    services(await render(o))
      .filter(({ kind }) => kind === 'StatefulSet')
      .map(({ component }) => component)
      .sort();

  test.each<[string, NonNullable<Rendering['set']>, string[]]>([
    ['no values: what the registry needs', {}, ['postgresql', 'redis']],
    ['none that has a Secret', { 'gateway.redis.secretName': 'mine' }, ['postgresql']],
    ['none in production', production, []],
  ])('%s', async (_, set, expected) => {
    expect(await stores({ set })).toEqual(expected);
  });
});
