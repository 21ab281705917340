import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { containers, environment, services, workloads } from './manifest.js';
import { cases, chart, render } from './render.js';
import { migrations, read, secretNames, settings, variables } from './settings.js';

const anyFile = fileURLToPath(import.meta.url);

describe.each(cases)('with ci/%s-values.yaml', (values) => {
  test('a pod gets only settings that its service has', async () => {
    for (const workload of workloads(await render({ values }))) {
      const service = workload.component.replace(/^migrate-/, '');
      if (!(service in settings)) continue;
      const known = new Set(variables(settings[service]!));
      const given = containers(workload).flatMap((container) => Object.keys(environment(container)));
      expect(
        given.filter((name) => name.startsWith('CADASTRE_') && !known.has(name)),
        workload.name,
      ).toEqual([]);
    }
  });

  test('every service can read its settings', async () => {
    for (const { component, pod } of services(await render({ values }))) {
      if (component in settings) read(settings[component]!, environment(pod.containers[0]!), anyFile);
    }
  });

  test('every migration can read its settings', async () => {
    const found = workloads(await render({ values })).flatMap((workload) =>
      containers(workload).flatMap((container) => {
        if (container.name !== 'migrate') return [];
        const owner = workload.component.replace(/^migrate-/, '');
        read(migrations[owner]!, environment(container), anyFile);
        return [owner];
      }),
    );
    expect(found).toEqual(expect.arrayContaining(['objects', 'auth']));
  });
});

test("every service with the setting of the operator's maintainers gets it", async () => {
  const name = 'CADASTRE_OPERATOR_MAINTAINERS';
  const asking = Object.keys(settings).filter((one) => variables(settings[one]!).includes(name));
  const rendered = services(await render({ setJson: { operatorMaintainers: ['HM-MNT', 'RS-MNT'] } }));
  const reported = rendered.filter(({ pod }) => environment(pod.containers[0]!)[name] === 'HM-MNT,RS-MNT');
  expect(asking.sort()).toEqual(['objects', 'search']);
  expect(reported.map(({ component }) => component).sort()).toEqual(asking);
});

test('whois and search know the aliases of sources', async () => {
  const name = 'CADASTRE_SOURCE_ALIASES';
  const asking = Object.keys(settings).filter((one) => variables(settings[one]!).includes(name));
  expect(asking.sort()).toEqual(['search', 'whois']);
  const setJson = { sourceAliases: { SECURE: ['TEST', 'RADB-GRS'], RADB: ['RADB-GRS'] } };
  const rendered = services(await render({ set: { 'whois.enabled': true }, setJson }));
  const values = rendered.flatMap(({ component, pod }) => {
    const value = environment(pod.containers[0]!)[name];
    return value === undefined ? [] : [[component, value]];
  });
  expect(values.sort()).toEqual(asking.map((component) => [component, 'RADB=RADB-GRS SECURE=TEST,RADB-GRS']));
});

test('searches and prefix lists have one policy about invalid routes', async () => {
  const source = '/run/files/roa/export.json';
  const rendered = services(
    await render({
      set: { 'whois.enabled': true, 'search.roa.source': source, 'whois.roa.source': source },
      setJson: { roaPolicy: ['show', 'TEST=hide'] },
    }),
  );
  const given = rendered.flatMap(({ component, pod }) => {
    const { CADASTRE_ROA_SOURCE: roas, CADASTRE_ROA_POLICY: policy } = environment(pod.containers[0]!);
    return roas === undefined && policy === undefined ? [] : [[component, roas, policy]];
  });
  expect(given.sort()).toEqual(['search', 'whois'].map((component) => [component, source, 'show,TEST=hide']));
});

test('whois has the limits of the gateway, unless it has its own', async () => {
  const setJson = {
    'gateway.env': { CADASTRE_LIMITS: 'queries=7', CADASTRE_STALL_TIMEOUT: '9s' },
  };
  const limitsWith = async (own: object) => {
    const rendered = services(await render({ set: { 'whois.enabled': true }, setJson: { ...setJson, ...own } }));
    return environment(rendered.find(({ component }) => component === 'whois')!.pod.containers[0]!);
  };
  const whois = await limitsWith({});
  expect(whois).toMatchObject({ CADASTRE_LIMITS: 'queries=7' });
  expect(await limitsWith({ 'whois.env': { CADASTRE_LIMITS: 'queries=9' } })).toMatchObject({
    CADASTRE_LIMITS: 'queries=9',
  });
  expect(whois).not.toHaveProperty('CADASTRE_STALL_TIMEOUT');
});

test('a gateway gets the URL and the CA of Redis as files', async () => {
  const gateway = services(await render({ values: 'production' })).find(({ component }) => component === 'gateway');
  const container = gateway!.pod.containers[0]!;
  const mounts = container.volumeMounts!.map(({ mountPath }) => mountPath);
  const sources = gateway!.pod.volumes!.flatMap(({ secret }) =>
    /^redis/.test(secret?.secretName ?? '')
      ? [[secret!.secretName, secret!.items?.map(({ key, path }) => [key, path])]]
      : [],
  );
  expect(environment(container)).toMatchObject({
    CADASTRE_REDIS_URL_FILE: '/run/files/redis/url',
    CADASTRE_STORE_CA_FILE: '/run/files/redis-ca/ca.crt',
  });
  expect(mounts).toEqual(expect.arrayContaining(['/run/files/redis', '/run/files/redis-ca']));
  expect(sources).toEqual([
    ['redis-example-net', [['url', 'url']]],
    ['redis-authority', [['ca.crt', 'ca.crt']]],
  ]);
});

test('search gets the URL and the certificates for OpenSearch as files', async () => {
  const search = services(await render({ values: 'production' })).find(({ component }) => component === 'search');
  expect(environment(search!.pod.containers[0]!)).toMatchObject({
    CADASTRE_SEARCH_OPENSEARCH_URL_FILE: '/run/files/opensearch/url',
    CADASTRE_STORE_CA_FILE: '/run/files/opensearch-ca/ca.crt',
    CADASTRE_SEARCH_OPENSEARCH_CERT_FILE: '/run/files/opensearch-certificate/tls.crt',
    CADASTRE_SEARCH_OPENSEARCH_KEY_FILE: '/run/files/opensearch-certificate/tls.key',
    CADASTRE_SEARCH_OPENSEARCH_SHARDS: '3',
    CADASTRE_SEARCH_OPENSEARCH_REPLICAS: '1',
  });
  const sources = search!.pod.volumes!.flatMap(({ name, secret }) =>
    name.startsWith('opensearch') ? [[secret!.secretName, secret!.items?.map(({ key }) => key)]] : [],
  );
  expect(sources).toEqual([
    ['opensearch-example-net', ['url']],
    ['opensearch-authority', ['ca.crt']],
    ['search-example-net', undefined],
  ]);
});

test('no value can be a secret: the schema of the values names each', () => {
  const { definitions } = JSON.parse(readFileSync(`${chart}values.schema.json`, 'utf8'));
  const refused = Object.entries(definitions.env.properties).filter(([, allowed]) => allowed === false);
  expect(refused.map(([name]) => name).sort()).toEqual(secretNames());
});
