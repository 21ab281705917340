import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readOriginsFile } from '../../../services/mirror/src/follow/read-origins.js';
import { environment, type Manifest, named, ofKind, policiesFor, services } from './manifest.js';
import { type Rendering, refusal, render } from './render.js';

const origins = { 'A-GRS': { dump: { urls: ['https://ftp.example.net/a.db.gz'], source: 'A' } } };
const publishing: Rendering = {
  set: { 'mirror.enabled': true, 'mirror.keys.secretName': 'mirror-keys' },
  setJson: { 'mirror.publish': ['TEST', 'TEST-NONAUTH'], 'mirror.dumps': ['TEST-NONAUTH'] },
};

function part(manifests: Manifest[], name: string) {
  const { pod, ...workload } = services(manifests).find(({ component }) => component === name)!;
  const mounts = pod.containers[0]!.volumeMounts!.map(({ mountPath, readOnly = false }) => ({ mountPath, readOnly }));
  return { ...workload, pod, mounts, settings: environment(pod.containers[0]!) };
}

test('every pod of mirror writes to one volume, which gateways read', async () => {
  const manifests = await render(publishing);
  const { spec, metadata } = named(manifests, 'PersistentVolumeClaim', 'trial-cadastre-publications');
  expect(spec.accessModes).toEqual(['ReadWriteMany']);
  // It outlives the release, so that followers continue after another installation.
  expect(metadata.annotations).toEqual({ 'helm.sh/resource-policy': 'keep' });
  const mountPath = '/run/files/publications';
  for (const [name, setting, readOnly] of [
    ['mirror', 'CADASTRE_PUBLICATIONS_DIR', false],
    ['gateway', 'CADASTRE_PUBLICATIONS_DIR', true],
  ] as const) {
    const { settings, mounts, pod } = part(manifests, name);
    expect([settings[setting], mounts]).toEqual([mountPath, expect.arrayContaining([{ mountPath, readOnly }])]);
    // Whichever pod is first, the volume gets the group that may write.
    expect(pod.volumes!.find((volume) => volume.name === 'publications')).toEqual({
      name: 'publications',
      persistentVolumeClaim: { claimName: 'trial-cadastre-publications' },
    });
    expect(pod.securityContext).toMatchObject({ fsGroup: 10001 });
  }
});

test('the parts of the main source are published and dumped by their names', async () => {
  expect(part(await render(publishing), 'mirror').settings).toMatchObject({
    CADASTRE_MIRROR_PUBLISH: 'TEST,TEST-NONAUTH',
    CADASTRE_MIRROR_DUMPS: 'TEST-NONAUTH',
  });
});

test('mirror and objects, which makes copies for NRTM 3, keep the same free texts', async () => {
  const setJson = {
    ...publishing.setJson,
    'mirror.publicTexts': { TEST: ['descr', 'geofeed'], 'TEST-NONAUTH': ['remarks'] },
  };
  const manifests = await render({ ...publishing, setJson });
  for (const name of ['mirror', 'objects']) {
    expect(part(manifests, name).settings).toMatchObject({
      CADASTRE_PUBLIC_TEXTS: 'TEST descr geofeed,TEST-NONAUTH remarks',
    });
  }
  const unknown = { ...publishing.setJson, 'mirror.publicTexts': { TEST: ['auth'] } };
  expect(await refusal({ ...publishing, setJson: unknown })).toContain("at '/mirror/publicTexts/TEST/0'");
});

test('with a bucket there is no volume, its URL is a file, and the gateway leads to what serves it', async () => {
  const publicUrl = 'https://files.example.net/registry';
  const set = { ...publishing.set, 'mirror.s3.secretName': 'bucket', 'mirror.s3.publicUrl': publicUrl };
  const manifests = await render({ ...publishing, set });
  expect(ofKind(manifests, 'PersistentVolumeClaim')).toEqual([]);
  expect(part(manifests, 'gateway').settings).not.toHaveProperty('CADASTRE_PUBLICATIONS_DIR');
  expect(part(manifests, 'gateway').settings).toMatchObject({ CADASTRE_PUBLICATIONS_URL: publicUrl });
  const { settings } = part(manifests, 'mirror');
  expect(settings).toMatchObject({ CADASTRE_MIRROR_S3_URL_FILE: '/run/files/mirror-s3/url' });
  expect(settings).not.toHaveProperty('CADASTRE_PUBLICATIONS_DIR');
});

test('who only follows needs neither key nor volume, and gets new pods with new origins', async () => {
  const follow = (from: object) =>
    render({ set: { 'mirror.enabled': true }, setJson: { grsSources: ['A-GRS'], 'mirror.origins': from } });
  const manifests = await follow(origins);
  expect(ofKind(manifests, 'PersistentVolumeClaim')).toEqual([]);
  const { data } = named(manifests, 'ConfigMap', 'trial-cadastre-mirror-origins') as Manifest & {
    data: Record<string, string>;
  };
  expect(JSON.parse(data['origins.json']!)).toEqual(origins);
  expect(part(manifests, 'mirror').settings).toMatchObject({
    CADASTRE_MIRROR_ORIGINS_FILE: '/run/files/mirror-origins/origins.json',
    CADASTRE_GRS_SOURCES: 'A-GRS',
  });
  const other = await follow({ 'A-GRS': { dump: { ...origins['A-GRS'].dump, every: '1h' } } });
  const checksum = (rendered: Manifest[]) =>
    named(rendered, 'Deployment', 'trial-cadastre-mirror').spec.template.metadata.annotations['checksum/origins'];
  expect(checksum(manifests)).toMatch(/^[0-9a-f]{64}$/);
  expect(checksum(other)).not.toBe(checksum(manifests));
});

test.each([
  ['the values for production', originsOfProduction],
  ['docs/use/mirroring.md', originsOfPage],
])('the service can read the origins of %s', async (_, read) => {
  const directory = await mkdtemp(join(tmpdir(), 'cadastre-origins-'));
  try {
    const key = join(directory, 'key.pem');
    const shown = JSON.parse(await originsOfProduction());
    await writeFile(key, shown['OTHER-GRS'].nrtm4.key);
    const text = await read();
    const file = join(directory, 'origins.json');
    await writeFile(file, text.replace(/"[^"]*\.pem"/, JSON.stringify(key)));
    const found = readOriginsFile(file, Object.keys(JSON.parse(text)));
    expect([...found.keys()]).toEqual(Object.keys(JSON.parse(text)));
  } finally {
    await rm(directory, { recursive: true });
  }
});

async function originsOfProduction(): Promise<string> {
  const rendered = await render({ values: 'production' });
  return (named(rendered, 'ConfigMap', 'trial-cadastre-mirror-origins') as Manifest & { data: Record<string, string> })
    .data['origins.json']!;
}

async function originsOfPage(): Promise<string> {
  const page = await readFile(new URL('../../../docs/use/mirroring.md', import.meta.url), 'utf8');
  return /```json\n([^`]+)```/.exec(page)![1]!;
}

test('in PostgreSQL of the chart, a first step alone has the password that makes the database', async () => {
  const { pod, mounts } = part(await render(publishing), 'mirror');
  const first = pod.initContainers!;
  expect(first.map(({ name }) => name)).toEqual(['wait-for-postgresql', 'make-database', 'migrate']);
  const mounting = first.filter(({ volumeMounts = [] }) => volumeMounts.some(({ name }) => name === 'postgresql'));
  expect(mounting.map(({ name }) => name)).toEqual(['make-database']);
  expect(mounts).not.toContainEqual(expect.objectContaining({ mountPath: '/run/files/postgresql' }));
  expect(pod.volumes!.find(({ name }) => name === 'postgresql')).toMatchObject({
    secret: { secretName: 'trial-cadastre-postgresql' },
  });
});

test('with a database of the operator, nothing makes it', async () => {
  const set = { ...publishing.set, 'mirror.database.secretName': 'mirror-database' };
  const { pod } = part(await render({ ...publishing, set }), 'mirror');
  expect(pod.initContainers).toBeUndefined();
  expect(pod.volumes!.map(({ name }) => name)).not.toContain('postgresql');
});

test.each<[string, string[], string[]]>([
  ['events', ['egressProxy'], ['webhooks']],
  ['mirror', ['egressProxy', 'origins'], []],
])('%s gets the URL of an egress proxy as a file, and may reach it', async (name, reached, unreached) => {
  const outside = Object.fromEntries(
    ['egressProxy', 'origins', 'webhooks'].map((key, at) => [key, { to: [], ports: [3000 + at] }]),
  );
  const manifests = await render({
    set: {
      ...{ 'mirror.enabled': true, 'egressProxy.secretName': 'proxy', 'egressProxy.key': 'address' },
      ...{ 'events.enabled': true, 'events.webhooks.enabled': true, 'events.webhooks.secretName': 'key' },
    },
    setJson: { grsSources: ['A-GRS'], 'mirror.origins': origins, 'networkPolicy.outside': outside },
  });
  const { settings, pod } = part(manifests, name);
  expect(settings).toMatchObject({ CADASTRE_EGRESS_PROXY_FILE: '/run/files/egress-proxy/url' });
  const secret = { secretName: 'proxy', items: [{ key: 'address', path: 'url' }] };
  expect(pod.volumes).toContainEqual(expect.objectContaining({ secret: expect.objectContaining(secret) }));
  const { egress } = named(manifests, 'NetworkPolicy', `trial-cadastre-${name}`).spec;
  const portOf = (key: string) => ({ ports: outside[key]!.ports.map((port) => ({ port })) });
  for (const key of reached) expect(egress).toContainEqual(portOf(key));
  for (const key of unreached) expect(egress).not.toContainEqual(portOf(key));
});

test('pods reach only the ports of registries that the values allow', async () => {
  const manifests = await render({
    set: { 'mirror.enabled': true },
    setJson: { grsSources: ['A-GRS'], 'mirror.origins': origins, 'networkPolicy.outside.origins.ports': [443] },
  });
  const mirror = services(manifests).find(({ component }) => component === 'mirror')!;
  const egress = policiesFor(manifests, mirror).flatMap(({ egress = [] }) => egress);
  const outside = egress.filter(({ to = [] }) => to.every(({ podSelector }) => podSelector === undefined));
  expect(outside.flatMap(({ ports = [] }) => ports.map(({ port }) => port)).sort()).toEqual([443, 53, 53]);
});

test.each<[string, object, boolean]>([
  ['https', origins, false],
  ['ftp', { 'A-GRS': { dump: { urls: ['ftp://ftp.example.net/a.db.gz'], source: 'A' } } }, true],
  ['a preset, whose files may come by FTP', { 'A-GRS': { preset: 'ALTDB' } }, true],
])('pods reach FTP servers of the outside only for %s', async (_, followed, isAllowed) => {
  const manifests = await render({
    set: { 'mirror.enabled': true },
    setJson: { grsSources: ['A-GRS'], 'mirror.origins': followed },
  });
  const mirror = services(manifests).find(({ component }) => component === 'mirror')!;
  const egress = policiesFor(manifests, mirror).flatMap(({ egress = [] }) => egress);
  const ftp = egress.find(({ ports = [] }) => ports.some(({ port }) => port === 21));
  expect(ftp !== undefined).toBe(isAllowed);
  if (!isAllowed) return;
  expect(ftp).toMatchObject({ ports: [{ port: 21 }, { port: 1024, endPort: 65535 }] });
  const except = ['10.0.0.0/8', '100.64.0.0/10', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16'];
  expect(ftp!.to).toContainEqual({ ipBlock: { cidr: '0.0.0.0/0', except } });
});

test.each<[string, Rendering, string]>([
  ['nothing to do', {}, 'mirror.enabled needs mirror.publish, mirror.dumps or mirror.origins'],
  ['no key', { setJson: { 'mirror.publish': ['TEST'] } }, 'mirror.publish needs mirror.keys.secretName'],
  [
    'an unknown copy',
    { setJson: { 'mirror.origins': origins } },
    'mirror.origins has A-GRS, which is not in grsSources',
  ],
])('%s is refused', async (_, o, said) => {
  expect(await refusal({ ...o, set: { 'mirror.enabled': true } })).toContain(said);
});
