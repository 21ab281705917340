import {
  type AuthenticateRequest,
  AuthenticationOutcome,
  type FinishSignInRequest,
  type StartSignInRequest,
} from '@cadastre/proto/auth';
import { WriteOutcome } from '@cadastre/proto/objects';
import { failureMessage, ServiceError } from '@cadastre/service';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { exampleReader, mntner, type RunningGateway, type SendOptions, startGateway } from './gateway.fixture.js';

const lasting = /^__Host-cadastre-(session|sign-in)=[\w-]+; Max-Age=\d+; Path=\/; Secure; HttpOnly; SameSite=Lax$/;
const sessionGone = '__Host-cadastre-session=; Max-Age=0; Path=/; Secure; HttpOnly; SameSite=Lax';
const signInGone = '__Host-cadastre-sign-in=; Max-Age=0; Path=/; Secure; HttpOnly; SameSite=Lax';
const signInCookie = { cookie: 'other=1; __Host-cadastre-sign-in=token-1' };
const sessionCookie = { cookie: 'other=1; __Host-cadastre-session=session-1' };
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000);

interface Requested {
  start?: StartSignInRequest;
  finish?: FinishSignInRequest;
  ended?: string;
  authenticate?: AuthenticateRequest;
  deleted?: boolean;
}
let requested: Requested = {};
let returnPath = '/';
let signOutUrl = '';
let alive: boolean;
let gateway: RunningGateway;

beforeAll(async () => {
  gateway = await startGateway(
    {
      reader: exampleReader,
      writer: {
        deleteObject: async () => {
          requested.deleted = true;
          const outcome = WriteOutcome.WRITE_OUTCOME_DELETED;
          return { result: { outcome, object: mntner, messages: [], serial: 1n } };
        },
      },
      auth: {
        authenticate: async (request) => {
          requested.authenticate = request;
          if (!alive) return { outcome: AuthenticationOutcome.AUTHENTICATION_OUTCOME_REJECTED, messages: [] };
          const principal = { credentials: [], accountId: '1', accountName: 'alice@example.net', apiKeyId: '' };
          return {
            outcome: AuthenticationOutcome.AUTHENTICATION_OUTCOME_AUTHENTICATED,
            principal: { ...principal, maintainers: [], keyFingerprints: [] },
            messages: [],
          };
        },
      },
      sessions: {
        startSignIn: async (start) => {
          requested.start = start;
          const authorizationUrl = 'https://id.example.net/auth?state=s';
          return { authorizationUrl, signInToken: 'token-1', expires: inMinutes(10) };
        },
        finishSignIn: async (finish) => {
          requested.finish = finish;
          if (finish.code !== 'good') throw new ServiceError('unauthenticated', [failureMessage('No, %s', ['100%'])]);
          const account = { id: '1', name: 'alice@example.net' };
          return { session: 'session-1', account, expires: inMinutes(600), returnPath };
        },
        getSession: async ({ session }) =>
          session === 'session-1' && alive
            ? {
                account: { id: '1', name: 'alice@example.net' },
                created: new Date('2026-01-01T00:00:00Z'),
                expires: new Date('2026-01-01T12:00:00Z'),
                idleExpires: new Date('2026-01-01T01:00:00Z'),
              }
            : {},
        endSession: async ({ session }) => {
          requested.ended = session;
          return { signOutUrl };
        },
      },
    },
    { CADASTRE_BASE_URL: 'https://rest.example.net' },
  );
});
afterAll(() => gateway.stop());
beforeEach(() => {
  requested = {};
  alive = true;
});

describe('sign-in', () => {
  it('begins with a redirect to the identity provider and a cookie that ties it to this browser', async () => {
    const received = await gateway.send('/session/login?return=/search%3Fq%3D1');
    expect([received.status, received.headers.location]).toEqual([302, 'https://id.example.net/auth?state=s']);
    expect(received.headers['set-cookie']).toEqual([expect.stringMatching(lasting)]);
    expect(requested.start).toEqual({ returnPath: '/search?q=1' });
  });

  it.each(['https://evil.example/', '//evil.example/', '/\\evil.example', '\\/evil.example', 'x', '/a\nb', '/%09/x'])(
    'returns to no other place than a path of this service: %j',
    async (path) => {
      const received = await gateway.send(`/session/login?return=${encodeURIComponent(path)}`);
      const refused = path !== '/%09/x';
      expect([received.status, requested.start === undefined]).toEqual([refused ? 400 : 302, refused]);
    },
  );

  it.each([
    ['another name of this host leads to the public URL', 'https://192.0.2.7/-/account', 'same-origin', true],
    ['the public URL begins there', 'https://rest.example.net/-/account', 'same-origin', false],
    ['another site begins here: it was led here, perhaps', 'https://192.0.2.7/', 'same-site', false],
  ])('from a page of %s', async (_what, referer, site, isLed) => {
    const headers = { referer, 'sec-fetch-site': site };
    const { headers: received } = await gateway.send('/session/login?return=/-/account', { headers });
    const led = 'https://rest.example.net/session/login?return=/-/account';
    expect(received.location).toBe(isLed ? led : 'https://id.example.net/auth?state=s');
    expect(requested.start === undefined).toBe(isLed);
  });

  it('ends with a session cookie and the way back', async () => {
    returnPath = '/after?x=1';
    const received = await gateway.send('/session/callback?state=s&code=good&iss=https://id.example.net', {
      headers: signInCookie,
    });
    expect([received.status, received.headers.location]).toEqual([302, '/after?x=1']);
    expect(received.headers['set-cookie']).toEqual([expect.stringMatching(lasting), signInGone]);
    const sent = { state: 's', code: 'good', issuer: 'https://id.example.net', error: '' };
    expect(requested.finish).toEqual({ signInToken: 'token-1', ...sent });
  });

  it.each(['', '//evil.example/'])('redirects to /session when the return path is %j', async (path) => {
    returnPath = path;
    const received = await gateway.send('/session/callback?state=s&code=good', { headers: signInCookie });
    expect(received.headers.location).toBe('/session');
  });

  it('that fails is 401 in text, without a session, and is over', async () => {
    const received = await gateway.send('/session/callback?state=s&error=access_denied', { headers: signInCookie });
    expect([received.status, received.text]).toEqual([401, 'No, 100%']);
    expect(received.headers['set-cookie']).toEqual([signInGone]);
    expect(received.headers['www-authenticate']).not.toContain('Basic');
  });

  it('of another browser is 401, and the code is not used', async () => {
    expect((await gateway.send('/session/callback?state=s&code=good')).status).toBe(401);
    expect(requested.finish).toBeUndefined();
  });

  it('is possible with the cookie of a session that has ended', async () => {
    alive = false;
    expect((await gateway.send('/session/login', { headers: sessionCookie })).status).toBe(302);
  });

  it.each(['/session', '/session/login', '/session/callback'])('%s is 426 over HTTP', async (path) => {
    const { status, headers } = await gateway.send(path, { secure: false });
    expect([status, headers.link]).toEqual([426, '<https://rest.example.net/>; rel="alternate"']);
  });
});

describe('the session', () => {
  it('shows the account', async () => {
    const received = await gateway.send('/session', { headers: sessionCookie });
    expect([received.status, JSON.parse(received.text)]).toEqual([
      200,
      {
        session: {
          account: 'alice@example.net',
          created: '2026-01-01T00:00:00.000Z',
          expires: '2026-01-01T12:00:00.000Z',
          'idle-expires': '2026-01-01T01:00:00.000Z',
        },
      },
    ]);
  });

  it('without a session is 401', async () => {
    expect((await gateway.send('/session')).status).toBe(401);
  });

  it('that has ended is 401 everywhere, and its cookie is removed (R4)', async () => {
    alive = false;
    for (const path of ['/session', '/TEST/mntner/EXAMPLE-MNT']) {
      const received = await gateway.send(path, { headers: sessionCookie });
      expect([received.status, received.headers['set-cookie']]).toEqual([401, [sessionGone]]);
    }
  });

  it('that has ended does not prevent a page from loading', async () => {
    alive = false;
    expect((await gateway.send('/docs', { headers: sessionCookie })).status).toBe(200);
  });

  it('authenticates reads, which then come from no cache', async () => {
    await gateway.send('/TEST/mntner/EXAMPLE-MNT');
    expect((await gateway.send('/TEST/mntner/EXAMPLE-MNT', { headers: sessionCookie })).status).toBe(200);
    expect(requested.authenticate?.session).toBe('session-1');
  });

  it('is revoked by DELETE', async () => {
    const headers = { ...sessionCookie, 'sec-fetch-site': 'same-origin' };
    const received = await gateway.send('/session', { method: 'DELETE', headers });
    expect([received.status, received.headers['set-cookie']?.[0]]).toEqual([200, sessionGone]);
    expect(requested.ended).toBe('session-1');
  });

  const signOut = () =>
    gateway.send('/session', { method: 'DELETE', headers: { ...sessionCookie, 'sec-fetch-site': 'same-origin' } });

  it('ends at the identity provider too, where that is possible', async () => {
    signOutUrl = 'https://id.example.net/logout?client_id=c';
    const received = await signOut();
    signOutUrl = '';
    expect(JSON.parse(received.text)).toEqual({ 'sign-out-url': 'https://id.example.net/logout?client_id=c' });
    expect(received.headers['set-cookie']).toEqual([sessionGone]);
  });

  it('that cannot end there makes the next sign-in ask for the account, once', async () => {
    const [, asks = ''] = (await signOut()).headers['set-cookie'] ?? [];
    const again = await gateway.send('/session/login', { headers: { cookie: asks.split(';')[0]! } });
    expect(again.headers.location).toBe('https://id.example.net/auth?state=s&prompt=select_account');
    expect(again.headers['set-cookie']?.[1]).toMatch(/^__Host-cadastre-signed-out=; Max-Age=0;/);
  });

  it('in the clear is 426', async () => {
    expect((await gateway.send('/TEST/mntner/EXAMPLE-MNT', { headers: sessionCookie, secure: false })).status).toBe(
      426,
    );
  });
});

describe('writes of a browser', () => {
  const write = (headers: SendOptions['headers'], host = 'localhost:8443') =>
    gateway.send('/TEST/mntner/EXAMPLE-MNT', { method: 'DELETE', headers: { ...headers, host } });

  it.each<[string, Record<string, string>]>([
    ['this origin', { origin: 'https://localhost:8443' }],
    ['the public origin', { origin: 'https://rest.example.net' }],
    ['this origin, as the browser says', { 'sec-fetch-site': 'same-origin' }],
    ['this origin, both ways', { 'sec-fetch-site': 'same-origin', origin: 'https://localhost:8443' }],
  ])('from %s go through with the cookie', async (_, headers) => {
    expect((await write({ ...sessionCookie, ...headers })).status).toBe(200);
    expect(requested).toMatchObject({ deleted: true, authenticate: { session: 'session-1' } });
  });

  it.each<[string, Record<string, string>]>([
    ['another origin', { origin: 'https://evil.example' }],
    ['this host without TLS', { origin: 'http://localhost:8443' }],
    ['another port', { origin: 'https://localhost:9443' }],
    ['an opaque origin', { origin: 'null' }],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another host of the site', { 'sec-fetch-site': 'same-site' }],
    ['another site that claims this origin', { 'sec-fetch-site': 'cross-site', origin: 'https://localhost:8443' }],
  ])('from %s are 403, whatever the credential', async (_, headers) => {
    for (const credential of [sessionCookie, { authorization: 'Basic good' }, undefined]) {
      expect((await write({ ...credential, ...headers })).status).toBe(403);
    }
    expect(requested).toEqual({});
  });

  it('that do not show where they come from are 403 with the cookie, and go through with an API key', async () => {
    expect((await write(sessionCookie)).status).toBe(403);
    expect(requested).toEqual({});
    expect((await write({ authorization: 'Basic good' })).status).toBe(200);
  });
});

it('a bearer token is passed on', async () => {
  await gateway.send('/TEST/mntner/EXAMPLE-MNT', { headers: { authorization: 'bearer  abc.def' } });
  expect(requested.authenticate).toMatchObject({ basic: '', bearerToken: 'abc.def', session: '' });
});
