import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type RequestOptions, type Rest, restClient } from '../harness/rest.js';
import { cookiesOf, signIn } from '../harness/sign-in.js';
import { objectOf, values, type WhoisClient, whoisClient } from '../harness/whois.js';

const system = inject('sharedSystem');
let rest: Rest & { close(): void };
let whois: WhoisClient;

beforeAll(async () => {
  rest = restClient(system);
  whois = whoisClient(rest, system.credential);
});

afterAll(async () => {
  rest?.close();
});

const set = `as-set:         AS64500:AS-SESSION
admin-c:        AE1-TEST
tech-c:         EN1-TEST
mnt-by:         EXAMPLE-MNT
source:         TEST
`;
const mntner = '/TEST/mntner/EXAMPLE-MNT';

/** Signs in at the identity provider; returns the redirect of the browser, and its cookie. */
async function beginSignIn(login: string) {
  const started = await rest(`/session/login?return=${encodeURIComponent(mntner)}`);
  expect(started.status).toBe(302);
  const back = new URL(await signIn(started.headers.location!, login, `${system.https}/session/callback`));
  return { path: `${back.pathname}${back.search}`, cookie: cookiesOf(started) };
}

async function openSession(login = 'alice@example.net') {
  const { path, cookie } = await beginSignIn(login);
  return rest(path, { headers: { cookie } });
}

/** A user with a session, without an API key. */
const signedIn = (cookie: string, more: Record<string, string> = {}): RequestOptions => ({
  credential: undefined,
  headers: { cookie, ...more },
});

test('a user signs in, reads and writes as that account, and signs out permanently', async () => {
  const opened = await openSession();
  expect([opened.status, opened.headers.location]).toEqual([302, mntner]);
  expect(opened.headers['set-cookie']?.[0]).toMatch(/^__Host-.*; Path=\/; Secure; HttpOnly; SameSite=Lax$/);
  const cookie = cookiesOf(opened);
  expect(JSON.parse((await rest('/session', signedIn(cookie))).text).session.account).toBe('alice@example.net');
  const shown = await whois.lookup('mntner', 'EXAMPLE-MNT', '?unfiltered', signedIn(cookie));
  expect(values(objectOf(shown), 'auth')).toContain('SSO alice@example.net');

  const own = signedIn(cookie, { origin: system.https });
  expect((await whois.create('as-set', set, '', own)).status).toBe(200);

  expect((await rest('/session', { ...own, method: 'DELETE' })).status).toBe(200);
  expect((await rest('/session', signedIn(cookie))).status).toBe(401);
  expect((await rest(mntner, signedIn(cookie))).status).toBe(401);
});

test('a page of another site cannot write with the session', async () => {
  const cookie = cookiesOf(await openSession());
  const foreigners: Record<string, string>[] = [
    {},
    { origin: 'https://evil.example' },
    { 'sec-fetch-site': 'cross-site' },
  ];
  for (const foreign of foreigners) {
    const answer = await whois.create('as-set', set.replace('SESSION', 'FOREIGN'), '', signedIn(cookie, foreign));
    expect(answer.status).toBe(403);
  }
  expect((await whois.lookup('as-set', 'AS64500:AS-FOREIGN')).status).toBe(404);
});

test('a session can create an API key, which outlives it', async () => {
  const own = signedIn(cookiesOf(await openSession('bob@example.net')), { origin: system.https });
  const body = JSON.stringify({ name: 'by session' });
  const made = await rest('/api-keys', { ...own, method: 'POST', contentType: 'application/json', body });
  const { credential } = JSON.parse(made.text);
  await rest('/session', { ...own, method: 'DELETE' });
  expect((await rest('/api-keys', { credential })).status).toBe(200);
});

test('a sign-in belongs to the browser that began it, and counts once', async () => {
  const alice = await beginSignIn('alice@example.net');
  const bob = await beginSignIn('bob@example.net');
  expect((await rest(alice.path)).status).toBe(401);
  expect((await rest(alice.path, { headers: { cookie: bob.cookie } })).status).toBe(401);
  const again = await beginSignIn('alice@example.net');
  expect((await rest(again.path, { headers: { cookie: again.cookie } })).status).toBe(302);
  expect((await rest(again.path, { headers: { cookie: again.cookie } })).status).toBe(401);
});
