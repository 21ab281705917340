import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describedPath } from '../src/openapi/describe-interface.js';
import { resources } from '../src/routes.js';
import { type RunningGateway, type SendOptions, startGateway } from './gateway.fixture.js';
import { checkResponse, routeAt } from './testing.js';

const document = JSON.parse(readFileSync(new URL('../openapi.json', import.meta.url), 'utf8'));

describe('the description of the interface', () => {
  it('is a valid OpenAPI 3.1 document', async () => {
    const validator = new Validator();
    expect(await validator.validate(structuredClone(document))).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  it('names each operation once', () => {
    const ids = operations().map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each(resources.map((resource) => [describedPath(resource), resource] as const))(
    'has %s, which leads there',
    (path, resource) => {
      const filled = path.replaceAll(/\{\w+\}/g, 'x');
      expect(routeAt(filled).resource).toBe(resource);
    },
  );

  it('refers to nothing that is not there, and has nothing that is not referred to', () => {
    const text = JSON.stringify(document);
    const referred = new Set([...text.matchAll(/"\$ref":"#\/components\/(\w+\/[\w-]+)"/g)].map((match) => match[1]));
    const { securitySchemes: _unreferred, ...referable } = document.components;
    const there = Object.entries(referable).flatMap(([kind, parts]) =>
      Object.keys(parts as object).map((name) => `${kind}/${name}`),
    );
    expect([...referred].sort()).toEqual(there.filter((name) => !name.startsWith('responses/NotFound')).sort());
  });
});

// The tables of the specification of the REST interface, endpoint by endpoint.
const objectStatuses = [200, 400, 401, 403, 404, 405, 409, 415, 429, 500];
// Generators of clients use the types of the first one.
const readFormats = ['application/json', 'application/xml', 'text/plain'];
const writeFormats = ['application/json', 'application/xml'];
const write = ['unformatted', 'dry-run'];
const search = [
  'source',
  'query-string',
  'inverse-attribute',
  'include-tag',
  'exclude-tag',
  'type-filter',
  'flags',
  'unformatted',
  'managed-attributes',
  'resource-holder',
  'abuse-contact',
  'limit',
  'offset',
  'roa-check',
];

describe('of the specification the description has', () => {
  it.each([
    ['post', '/{source}/{objectType}', write, objectStatuses, writeFormats],
    ['put', '/{source}/{objectType}/{key}', write, objectStatuses, writeFormats],
    ['delete', '/{source}/{objectType}/{key}', ['reason', 'dry-run'], objectStatuses, writeFormats],
    [
      'get',
      '/{source}/{objectType}/{key}',
      ['unfiltered', 'unformatted'],
      objectStatuses.filter((status) => status !== 409),
      readFormats,
    ],
    ['get', '/search', search, [200, 400, 404], readFormats],
    ['get', '/metadata/sources', [], [200], readFormats],
    ['get', '/metadata/templates/{objectType}', [], [200, 400], readFormats],
    ['get', '/geolocation', ['ipkey', 'key'], [200, 404], readFormats],
    ['get', '/abuse-contact/{resource}', [], [200, 404], readFormats],
    ['get', '/{source}/{objectType}/{key}/versions', [], [200, 400, 404], readFormats],
    ['get', '/{source}/{objectType}/{key}/versions/{version}', [], [200, 400, 404], readFormats],
  ])('%s %s with its parameters, statuses and formats', (method, path, query, statuses, formats) => {
    const operation = document.paths[path][method] as Operation;
    const parameters = operation.parameters.map((parameter) => `${parameter.in} ${parameter.name}`);
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => `path ${match[1]}`);
    expect(parameters).toEqual(expect.arrayContaining([...inPath, ...query.map((name) => `query ${name}`)]));
    expect(Object.keys(operation.responses).map(Number)).toEqual(expect.arrayContaining(statuses));
    expect(Object.keys(operation.responses[200]?.content ?? {})).toEqual(formats);
  });

  it.each([
    ['post', '/{source}/{objectType}'],
    ['put', '/{source}/{objectType}/{key}'],
  ])('%s %s with its body', (method, path) => {
    const { requestBody } = document.paths[path][method];
    expect(requestBody).toMatchObject({ required: true });
    expect(Object.keys(requestBody.content)).toEqual(writeFormats);
  });

  it('the credentials', () => {
    expect(document.components.securitySchemes).toMatchObject({
      apiKey: { scheme: 'basic' },
      session: { in: 'cookie' },
      clientCertificate: { type: 'mutualTLS' },
    });
  });
});

describe('a running gateway', () => {
  let gateway: RunningGateway;
  beforeAll(async () => {
    // The example of a change stream waits for a feed that is not there.
    gateway = await startGateway(undefined, { CADASTRE_GATEWAY_DEADLINES: 'read=1s' });
  });
  afterAll(() => gateway.stop());

  it('serves the committed description', async () => {
    const served = await gateway.send('/openapi.json');
    expect(served.headers['content-type']).toBe('application/json');
    expect(JSON.parse(served.text)).toEqual(document);
  });

  it('serves a page that shows it, with its files, from this origin only and without inline scripts', async () => {
    const page = await gateway.send('/docs');
    expect(page.headers['content-type']).toBe('text/html;charset=utf-8');
    expect(page.headers['content-security-policy']).toMatch(/script-src 'self'; style-src 'self'/);
    const loaded = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)]
      .map((match) => match[1]!)
      .filter((url) => url !== 'data:,');
    expect(loaded).toContain('/docs/swagger-ui-bundle.js');
    for (const path of loaded) expect([path, (await gateway.send(path)).status]).toEqual([path, 200]);
    expect(page.text).not.toMatch(/<script>|<style|style=| on\w+=/);
  });

  it.each(tried())('accepts the examples of %s', async (_what, { path, ...request }) => {
    // The services behind it are unavailable, or do not have the object.
    expect((await gateway.send(path, request)).status).not.toBe(400);
  });

  it('compresses the files of that page for clients that accept it', async () => {
    const headers = { 'accept-encoding': 'br, gzip' };
    expect((await gateway.send('/docs/swagger-ui.css', { headers })).headers).toMatchObject({
      'content-encoding': 'gzip',
      vary: 'Accept-Encoding',
    });
    expect((await gateway.send('/docs/swagger-ui.css')).headers).not.toHaveProperty('content-encoding');
  });

  it.each(['/docs/package.json', '/docs/../package.json', '/docs/toString', '/docs/a/b'])('has no %s', async (path) => {
    expect((await gateway.send(path)).status).toBe(404);
  });
});

describe('the check of responses that all tests go through', () => {
  const good = {
    method: 'GET',
    path: '/TEST/person/XX1-TEST',
    status: 404,
    headers: { 'content-type': 'application/json' },
    text: '{"errormessages":{"errormessage":[{"severity":"Error","text":"x"}]}}',
  };

  it('accepts documents that match the description', () => {
    expect(() => checkResponse(good)).not.toThrow();
  });

  it.each([
    ['a status', { status: 418 }],
    ['a media type', { headers: { 'content-type': 'text/html' } }],
    ['a missing member', { text: '{}' }],
    ['an unknown member', { text: good.text.replace('{"err', '{"more":1,"err') }],
    ['a deep unknown member', { text: good.text.replace('"text"', '"more":1,"text"') }],
    ['a wrong value', { text: good.text.replace('Error', 'Fatal') }],
    ['no JSON', { text: '{' }],
    ['a body where there is none', { path: '/session/login', status: 302 }],
    ['a success of an unknown path', { path: '/x', status: 200 }],
  ])('finds %s that is not', (_what, wrong) => {
    expect(() => checkResponse({ ...good, ...wrong })).toThrow('not as described');
  });
});

type Tried = [what: string, request: SendOptions & { path: string }];

/** The requests of a page for trying the interface: with all examples, and each body that has one. */
function tried(): Tried[] {
  const paths = Object.entries(document.paths as Record<string, Record<string, Operation>>);
  return paths.flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => triesOf(path, method.toUpperCase(), operation)),
  );
}

function triesOf(template: string, method: string, { operationId, parameters, requestBody }: Operation): Tried[] {
  const examples = parameters.filter(({ example }) => example !== undefined);
  const inPath = new Map(examples.map(({ name, example }) => [name, encodeURIComponent(String(example))]));
  const query = new URLSearchParams();
  for (const one of examples.filter((example) => example.in === 'query')) {
    for (const value of [one.example].flat()) query.append(one.name, String(value));
  }
  const path = `${template.replace(/\{(\w+)\}/g, (_, name) => inPath.get(name) ?? 'missing')}?${query}`;
  const request = { path, method, headers: { authorization: 'Basic good' } };
  const bodies = Object.entries(requestBody?.content ?? {}).filter(([, { example }]) => example !== undefined);
  if (bodies.length === 0) return [[operationId, request]];
  return bodies.map(([type, { example }]): Tried => {
    const body = typeof example === 'string' ? example : JSON.stringify(example);
    const headers = { ...request.headers, 'content-type': type };
    return [`${operationId}, ${type}`, { ...request, headers, body }];
  });
}

interface Operation {
  operationId: string;
  parameters: { in: string; name: string; example?: unknown }[];
  requestBody?: { content: Record<string, { example?: unknown }> };
  responses: Record<string, { content?: object }>;
}

function operations(): Operation[] {
  return Object.values(document.paths as Record<string, Record<string, Operation>>).flatMap((path) =>
    Object.values(path),
  );
}
