import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exampleAuth, exampleReader, type RunningGateway, type SendOptions, startGateway } from './gateway.fixture.js';

let gateway: RunningGateway;
const path = '/TEST/mntner/EXAMPLE-MNT';
const origin = 'https://pages.example.org';

beforeAll(async () => {
  gateway = await startGateway({ auth: exampleAuth, reader: exampleReader });
});
afterAll(() => gateway.stop());

const allowOrigin = async (url: string, options: SendOptions) =>
  (await gateway.send(url, { ...options, headers: { origin, ...options.headers } })).headers[
    'access-control-allow-origin'
  ];

describe('pages of other sites', () => {
  it.each<[string, string, SendOptions]>([
    ['a lookup', path, {}],
    ['a lookup over HTTP', path, { secure: false }],
    ['HEAD', path, { method: 'HEAD' }],
    ['what is not there', '/TEST/mntner/ABSENT-MNT', {}],
    ['a search that fails', '/search?query-string=x', {}],
    ['metadata', '/metadata/sources.json', {}],
  ])('may read public data: %s', async (_what, url, options) => {
    expect(await allowOrigin(url, options)).toBe('*');
  });

  it.each<[string, string, SendOptions]>([
    ['a credential', path, { headers: { authorization: 'Basic good' } }],
    ['a wrong credential', path, { headers: { authorization: 'Basic bad' } }],
    ['a cookie', path, { headers: { cookie: '__Host-cadastre-session=x' } }],
    ['a write', path, { method: 'PUT' }],
    ['a deletion', path, { method: 'DELETE' }],
    ['updates as text', '/syncupdates/TEST', { method: 'POST' }],
    ['API keys', '/api-keys', {}],
    ['the session', '/session', {}],
    ['a sign-in', '/session/login', {}],
  ])('may read nothing else: %s', async (_what, url, options) => {
    expect(await allowOrigin(url, options)).toBeUndefined();
  });

  it('are never allowed credentials', async () => {
    const { headers } = await gateway.send(path, { headers: { origin } });
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
    expect(headers['access-control-expose-headers']).toBe('*');
  });
});

describe('a preflight', () => {
  const ask = (url: string, method: string) =>
    gateway.send(url, { method: 'OPTIONS', headers: { origin, 'access-control-request-method': method } });

  it.each(['GET', 'HEAD'])('of %s gets a preflight response', async (method) => {
    const received = await ask(path, method);
    expect(received).toMatchObject({
      status: 200,
      headers: { 'access-control-allow-origin': '*', 'access-control-allow-methods': 'GET, HEAD' },
    });
    const allowed = String(received.headers['access-control-allow-headers']).toLowerCase();
    expect(allowed).toContain('if-none-match');
    expect(allowed).not.toContain('authorization');
  });

  it.each([
    ['PUT', path],
    ['DELETE', path],
    ['POST', '/TEST/mntner'],
    ['GET', '/TEST/mntner'],
    ['GET', '/nowhere'],
  ])('of %s %s is not', async (method, url) => {
    expect((await ask(url, method)).headers).not.toHaveProperty('access-control-allow-methods');
  });

  it.each(['/api-keys', '/session'])('of GET %s is refused its origin', async (url) => {
    expect((await ask(url, 'GET')).headers).not.toHaveProperty('access-control-allow-origin');
  });
});
