import { createHash } from 'node:crypto';
import https from 'node:https';
import { type AuthenticateRequest, AuthenticationOutcome } from '@cadastre/proto/auth';
import { failureMessage, ServiceError } from '@cadastre/service';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { selfSignedClient } from './client-identity.fixture.js';
import {
  type Backends,
  exampleReader,
  type RunningGateway,
  type SendOptions,
  startGateway,
} from './gateway.fixture.js';

const alice = await selfSignedClient('alice');
const proxy = await selfSignedClient('proxy');
const path = '/TEST/mntner/EXAMPLE-MNT';
const header = { 'client-cert': `:${alice.der.toString('base64')}:` };
let requested: AuthenticateRequest[] = [];
let outcome: AuthenticationOutcome;

const fingerprint = createHash('sha256').update(alice.der).digest('hex');
let keyCerts: () => string[];
const reader: Backends['reader'] = {
  ...exampleReader,
  findKeyCerts: async (request) => {
    expect(request).toEqual({ source: '', pgpSubkeyIds: [], certificateFingerprints: [fingerprint] });
    return { names: keyCerts() };
  },
};

const auth: Backends['auth'] = {
  authenticate: async (request) => {
    requested.push(request);
    if (outcome === AuthenticationOutcome.AUTHENTICATION_OUTCOME_REJECTED) {
      return { outcome, messages: [failureMessage('Certificate in keycert %s has expired', [fingerprint])] };
    }
    const principal = { credentials: [], accountId: '', accountName: '', apiKeyId: '', maintainers: [] };
    return { outcome, principal: { ...principal, keyFingerprints: ['00'] }, messages: [] };
  },
};
const certificates = () => requested.map(({ clientCertificate }) => clientCertificate.toString('hex'));

beforeEach(() => {
  keyCerts = () => [];
  requested = [];
  outcome = AuthenticationOutcome.AUTHENTICATION_OUTCOME_AUTHENTICATED;
});

describe('the port for client certificates', () => {
  let gateway: RunningGateway;
  beforeAll(async () => {
    gateway = await startGateway({ reader, auth });
  });
  afterAll(() => gateway.stop());

  it('authenticates this certificate, of any issuer', async () => {
    expect((await gateway.send(path, { client: alice })).status).toBe(200);
    expect(certificates()).toEqual([alice.der.toString('hex')]);
  });

  it('a rejected certificate is 401 with the reason, also for cached reads (R4)', async () => {
    await gateway.send(path, { client: {} });
    outcome = AuthenticationOutcome.AUTHENTICATION_OUTCOME_REJECTED;
    const received = await gateway.send(`${path}.txt`, { client: alice });
    expect([received.status, received.text]).toEqual([401, expect.stringContaining('Certificate has expired')]);
    expect(received.text).not.toContain(fingerprint);
  });

  it.each<[string, () => string[], string]>([
    ['the key-cert that holds it', () => ['X509-1103', 'X509-1104'], 'Certificate in keycert X509-1103 has expired'],
    [
      'nothing while nobody can tell which that is',
      () => {
        throw new ServiceError('unavailable', 'away');
      },
      'Certificate has expired',
    ],
  ])('the reason names %s', async (_, names, said) => {
    outcome = AuthenticationOutcome.AUTHENTICATION_OUTCOME_REJECTED;
    keyCerts = names;
    const received = await gateway.send(`${path}.txt`, { client: alice });
    expect([received.status, received.text]).toEqual([401, expect.stringContaining(said)]);
    expect(received.text).not.toContain(fingerprint);
  });

  it('a client without a certificate is anonymous', async () => {
    expect((await gateway.send(path, { client: {} })).status).toBe(200);
    expect(requested).toEqual([]);
  });

  it('works together with an API key', async () => {
    await gateway.send(path, { client: alice, headers: { authorization: 'Basic good' } });
    expect(requested).toMatchObject([{ basic: 'good', clientCertificate: alice.der }]);
  });

  it('counts for every request of a connection, and of a resumed session', async () => {
    const port = gateway.gateway.ports().certificate;
    for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
      requested = [];
      const agent = new https.Agent({
        ...alice,
        keepAlive: true,
        maxSockets: 1,
        maxVersion,
        rejectUnauthorized: false,
      });
      const resumed: boolean[] = [];
      const get = () =>
        new Promise<void>((resolve, reject) => {
          const request = https.get({ host: '127.0.0.1', port, path, agent }, (response) => {
            resumed.push((response.socket as import('node:tls').TLSSocket).isSessionReused());
            response.resume().once('end', resolve);
          });
          request.once('error', reject);
        });
      await get();
      await get();
      for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy();
      await get();
      agent.destroy();
      expect(resumed).toEqual([false, false, true]);
      expect(certificates()).toEqual(Array(3).fill(alice.der.toString('hex')));
    }
  });

  it.each<[string, SendOptions]>([
    ['HTTPS', {}],
    ['HTTPS with another certificate', { client: proxy }],
    ['HTTP', { secure: false }],
  ])('Client-Cert of anybody over %s is ignored', async (_, options) => {
    expect((await gateway.send(path, { ...options, headers: header })).status).toBe(200);
    expect(certificates()).not.toContain(alice.der.toString('hex'));
  });
});

describe('Client-Cert of a trusted proxy (RFC 9440)', () => {
  let gateway: RunningGateway;
  beforeAll(async () => {
    const env = { CADASTRE_GATEWAY_CLIENT_CERT_FROM: '2001:db8::7, 127.0.0.0/8' };
    gateway = await startGateway({ reader: exampleReader, auth }, env);
  });
  afterAll(() => gateway.stop());

  it.each<[string, SendOptions]>([
    ['HTTPS', {}],
    ['the proxy shows a certificate of its own', { client: proxy }],
  ])('is the certificate of the client: %s', async (_, options) => {
    expect((await gateway.send(path, { ...options, headers: header })).status).toBe(200);
    expect(certificates()).toEqual([alice.der.toString('hex')]);
  });

  it('counts over HTTPS only', async () => {
    expect((await gateway.send(path, { headers: header, secure: false })).status).toBe(200);
    expect(requested).toEqual([]);
  });

  it('the certificate of the proxy authenticates no client', async () => {
    expect((await gateway.send(path, { client: proxy })).status).toBe(200);
    expect(requested).toEqual([]);
  });

  it.each([
    '',
    'x',
    '::',
    ':AAAA:',
    `${header['client-cert']}, ${header['client-cert']}`,
    alice.der.toString('base64'),
  ])('that holds no certificate is 400: %s', async (value) => {
    expect((await gateway.send(path, { headers: { 'client-cert': value } })).status).toBe(400);
    expect(requested).toEqual([]);
  });
});

it.each(['10.0.0.0/33', 'proxy.example.net', '10.0.0.1/8/8', '::/129', '10.0.0.1/'])(
  'the trusted proxy "%s" is refused at start',
  async (entry) => {
    await expect(startGateway({}, { CADASTRE_GATEWAY_CLIENT_CERT_FROM: entry })).rejects.toThrow(
      'CADASTRE_GATEWAY_CLIENT_CERT_FROM',
    );
  },
);
