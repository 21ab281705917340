import { describe, expect, test } from 'vitest';
import { services } from './manifest.js';
import { type Rendering, refusal, render } from './render.js';

const production = {
  environment: 'production',
  'objects.database.secretName': 'objects',
  'auth.database.secretName': 'auth',
  'search.database.secretName': 'search',
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
    ['no pods', { 'geo.replicas': 0 }, "at '/geo/replicas': minimum: got 0, want 1"],
    ['a source', { source: 'NO SPACES' }, "at '/source'"],
    ['a port', { 'gateway.service.httpPort': 70_000 }, "at '/gateway/service/httpPort'"],
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
    ['a field of a pod', { 'geo.pod': { hostNetwork: true } }, "at '/geo/pod': additional properties 'hostNetwork'"],
    ['a digest', { 'image.digests': { cli: 'latest' } }, "at '/image/digests/cli'"],
  ])('%s', async (_, setJson, said) => {
    expect(await refusal({ setJson })).toContain(said);
  });
});

describe('impossible values are refused, all at once', () => {
  test.each<[string, NonNullable<Rendering['set']>, string[]]>([
    [
      'production with nothing else',
      { environment: 'production' },
      [
        'objects.database.secretName',
        'auth.database.secretName',
        'search.database.secretName',
        'gateway.redis.secretName',
        'internalTls.mode',
        'gateway.baseUrl',
      ],
    ],
    ['no evaluation and no stores', { 'evaluation.enabled': false }, ['objects.database', 'gateway.redis']],
    [
      'OpenSearch without cluster',
      { ...production, 'search.adapter': 'opensearch' },
      ['production needs search.opensearch.secretName'],
    ],
    ['production without certificate', { ...production, 'gateway.tls.secretName': '' }, ['gateway.tls.secretName']],
    ['production with generated certificates', { ...production, 'internalTls.mode': 'generated' }, ['for evaluation']],
    ['given certificates without name', { 'internalTls.mode': 'existing' }, ['internalTls.secretPrefix']],
    ['an Ingress without host', { 'ingress.enabled': true }, ['ingress.enabled needs gateway.host']],
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
      { 'geo.autoscaling.enabled': true, 'geo.autoscaling.maxReplicas': 1 },
      ['geo.autoscaling.maxReplicas is below geo.replicas'],
    ],
  ])('%s', async (_, set, said) => {
    const text = await refusal({ set });
    expect(text).toContain('These values cannot be installed:');
    for (const part of said) expect(text).toContain(part);
  });
});

describe('secrets', () => {
  test.each(['CADASTRE_OBJECTS_DATABASE_URL', 'CADASTRE_DIRECTORY_TOKEN', 'CADASTRE_OIDC_CLIENT_SECRET'])(
    '%s is refused in env: it belongs in a file',
    async (name) => {
      expect(await refusal({ setJson: { 'auth.env': { [name]: 'x' } } })).toContain(`at '/auth/env/${name}'`);
    },
  );
});

describe('stores for evaluation', () => {
  const stores = async (o: Rendering) =>
    services(await render(o))
      .filter(({ kind }) => kind === 'StatefulSet')
      .map(({ component }) => component)
      .sort();

  test.each<[string, NonNullable<Rendering['set']>, string[]]>([
    ['no values: what the registry needs', {}, ['postgresql', 'redis']],
    ['OpenSearch too where search uses it', { 'search.adapter': 'opensearch' }, ['opensearch', 'postgresql', 'redis']],
    ['none that has a Secret', { 'gateway.redis.secretName': 'mine' }, ['postgresql']],
    ['none in production', production, []],
  ])('%s', async (_, set, expected) => {
    expect(await stores({ set })).toEqual(expected);
  });
});
