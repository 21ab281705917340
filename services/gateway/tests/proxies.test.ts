import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exampleAuth, exampleReader, mntner, type RunningGateway, startGateway } from './gateway.fixture.js';

const path = '/TEST/mntner/EXAMPLE-MNT';
const requested: string[] = [];
const backends = {
  auth: exampleAuth,
  reader: {
    ...exampleReader,
    getVersion: async (_request: unknown, call: { requestId: string }) => {
      requested.push(call.requestId);
      return { object: mntner, current: true };
    },
  },
};
const credential = { authorization: 'Basic good' };

describe('a trusted proxy', () => {
  let gateway: RunningGateway;
  beforeAll(async () => {
    gateway = await startGateway(backends, { CADASTRE_TRUSTED_PROXIES: '127.0.0.0/8, 2001:db8::/32' });
  });
  afterAll(() => gateway.stop());

  it('whose client used HTTPS may pass on credentials and writes over HTTP; links, HSTS follow', async () => {
    const headers = { 'x-forwarded-for': '192.0.2.1', 'x-forwarded-proto': 'https' };
    const read = await gateway.send(path, { secure: false, headers: { ...headers, ...credential } });
    expect(read).toMatchObject({ status: 200, headers: { 'strict-transport-security': 'max-age=31536000' } });
    expect(read.text).toContain('xlink:href="https://localhost');
    expect((await gateway.send(path, { method: 'PUT', secure: false, headers })).status).toBe(415);
  });

  it('whose client used HTTP may not, over HTTPS neither', async () => {
    const headers = { 'x-forwarded-for': '192.0.2.1', 'x-forwarded-proto': 'http', ...credential };
    const refused = await gateway.send(path, { headers });
    expect(refused.status).toBe(426);
    expect(refused.headers).not.toHaveProperty('strict-transport-security');
  });

  it('sends the request id to the client and to the backends', async () => {
    const headers = { 'x-request-id': 'edge-7f3a:1' };
    expect((await gateway.send(`${path}/versions/1`, { headers })).headers['x-request-id']).toBe('edge-7f3a:1');
    expect(requested).toContain('edge-7f3a:1');
  });

  it.each(['a b', '"x"', 'x'.repeat(129), ''])('cannot name it "%s"', async (id) => {
    const received = await gateway.send(path, { headers: { 'x-request-id': id } });
    expect(received.headers['x-request-id']).toMatch(/^[\w-]{8}-[a-z0-9]+$/);
  });
});

describe('anybody else', () => {
  let gateway: RunningGateway;
  beforeAll(async () => {
    gateway = await startGateway(backends, { CADASTRE_TRUSTED_PROXIES: '192.0.2.1' });
  });
  afterAll(() => gateway.stop());

  it.each<Record<string, string>>([{ 'x-forwarded-proto': 'https' }, { forwarded: 'proto=https' }])(
    'cannot pass for HTTPS by %o',
    async (headers) => {
      expect((await gateway.send(path, { secure: false, headers: { ...headers, ...credential } })).status).toBe(426);
    },
  );

  it('cannot name a request', async () => {
    const headers = { 'x-request-id': 'forged' };
    const ids = await Promise.all(
      [path, '/nowhere', `${path}?unfiltered=x`].map(
        async (url) => (await gateway.send(url, { headers })).headers['x-request-id'],
      ),
    );
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(id).toMatch(/^[\w-]{8}-[a-z0-9]+$/);
  });
});

it.each(['10.0.0.0/33', 'proxy.example.net'])('the trusted proxy "%s" is refused at start', async (entry) => {
  await expect(startGateway({}, { CADASTRE_TRUSTED_PROXIES: entry })).rejects.toThrow('CADASTRE_TRUSTED_PROXIES');
});
