import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from './harness/eventually.js';
import { descendants } from './harness/processes.js';
import { type RequestOptions, type Rest, restClient } from './harness/rest.js';
import { apart, freshDirectory, type RunningSystem, runSystem } from './harness/run-system.js';
import { obtainTokens } from './harness/sign-in.js';
import { objectOf, values, type WhoisClient, whoisClient } from './harness/whois.js';

// Credentials of the identity provider, and its outages.
let data: Awaited<ReturnType<typeof freshDirectory>>;
let system: RunningSystem;
let rest: Rest & { close(): void };
let whois: WhoisClient;

beforeAll(async () => {
  data = await freshDirectory();
  system = await runSystem(data.directory, apart('identity-provider'));
  rest = restClient(system);
  whois = whoisClient(rest, system.credential);
});

afterAll(async () => {
  rest?.close();
  await system?.stop();
  await data.remove();
});

const mntner = (name: string, account: string) => `mntner:         ${name}
admin-c:        AE1-TEST
upd-to:         noc@example.net
auth:           SSO ${account}
mnt-by:         EXAMPLE-MNT
source:         TEST
`;

/** The access token of a user who signs in, for the REST interface. */
async function tokenOf(login: string): Promise<string> {
  const started = await rest('/session/login?return=/');
  const [issuer = ''] = started.headers.location!.split('/auth?');
  return (await obtainTokens(issuer, login, `${system.https}/session/callback`)).access_token;
}

const bearing = (token: string): RequestOptions => ({
  credential: undefined,
  headers: { authorization: `Bearer ${token}` },
});

describe('a bearer token of the identity provider', () => {
  test('reads auth and writes as its account only', async () => {
    const alice = bearing(await tokenOf('alice@example.net'));
    const own = objectOf(await rest('/TEST/mntner/EXAMPLE-MNT.json?unfiltered', alice));
    expect(values(own, 'auth')).toContain('SSO alice@example.net');
    expect((await whois.create('mntner', mntner('BEARER-MNT', 'bob@example.net'), '', alice)).status).toBe(200);
    const bob = bearing(await tokenOf('bob@example.net'));
    const others = objectOf(await rest('/TEST/mntner/EXAMPLE-MNT.json?unfiltered', bob));
    expect(values(others, 'auth')).toEqual([]);
    expect((await whois.create('mntner', mntner('BEARER2-MNT', 'bob@example.net'), '', bob)).status).toBe(401);
  });

  test('with a change is refused everywhere, and any is refused over plain HTTP', async () => {
    const token = await tokenOf('alice@example.net');
    const [head, , signature] = token.split('.');
    const claims = Buffer.from('{"sub":"somebody"}').toString('base64url');
    expect((await rest('/TEST/person/AE1-TEST', bearing(`${head}.${claims}.${signature}`))).status).toBe(401);
    expect((await rest('/TEST/person/AE1-TEST', { ...bearing(token), plain: true })).status).toBe(426);
  });
});

test('while the identity provider is unavailable, requests that need it say so; others work; then all recover', async () => {
  const provider = descendants(system.pid).find(({ command }) => command.includes('identity-provider-main'))!;
  const write = () => whois.create('mntner', mntner('OUTAGE-MNT', 'nobody-yet@example.net'));
  process.kill(provider.pid, 'SIGSTOP');
  try {
    const refused = await write();
    expect([refused.status, refused.text]).toEqual([503, expect.stringContaining('is unavailable')]);
    expect((await rest('/TEST/mntner/EXAMPLE-MNT.json')).status).toBe(200);
    expect((await whois.create('mntner', mntner('KNOWN-MNT', 'alice@example.net'))).status).toBe(200);
  } finally {
    process.kill(provider.pid, 'SIGCONT');
  }
  await eventually(async () => {
    const answer = await write();
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('Access Account found for')]);
  });
});
