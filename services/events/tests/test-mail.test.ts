import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { pathToFileURL } from 'node:url';
import { readSettings } from '@cadastre/service';
import { type Authority, createAuthority, keepSecret, testLogger } from '@cadastre/service/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { cadastre } from '../../../cli/tests/fake-registry.js';
import { createEventsService } from '../src/service.js';
import { eventsSettings } from '../src/settings.js';
import { type Login, type MailSink, startMailSink } from './mail-sink.js';
import { outboxOf } from './outbox.fixture.js';
import { webhookRegistry } from './webhooks.fixture.js';

// `cadastre mail test` calls the service by gRPC, which sends to a real mail server.
const [authority, stranger] = [createAuthority(), createAuthority()];
const usual = getCACertificates('default');
beforeAll(() => setDefaultCACertificates([...usual, readFileSync(join(authority.directory, 'ca.crt'), 'utf8')]));
afterAll(() => {
  setDefaultCACertificates(usual);
  for (const one of [authority, stranger]) one.remove();
});

const cleanups: (() => unknown)[] = [];
let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cadastre-test-mail-'));
  cleanups.push(() => rm(directory, { recursive: true }));
});
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

const user = 'registry@r.example';
const password = 'p@ss:w/rd?';
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const key = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
const signed = { CADASTRE_MAIL_DKIM_SELECTOR: 's1', CADASTRE_MAIL_DKIM_KEY: key };

async function sink(refused: Record<string, number> = {}, login?: Login): Promise<MailSink> {
  const started = await startMailSink(refused, login);
  cleanups.push(started.close);
  return started;
}

function loginOver(tls: Login['tls'], { by = authority, ...more }: Partial<Login> & { by?: Authority } = {}): Login {
  const { tlsCertFile, tlsKeyFile } = by.certify('mail');
  const certificate = { cert: readFileSync(tlsCertFile, 'utf8'), key: readFileSync(tlsKeyFile, 'utf8') };
  return { user, password, tls, certificate, ...more };
}

const withoutUser = (url: string) => url.replace(/\/\/.*@/, '//');

/** Runs the service with these settings, and returns how an operator calls it. */
async function registry(settings: Record<string, string>) {
  keepSecret(key, password);
  const address = `unix:${join(directory, 'events.sock')}`;
  const env = { CADASTRE_LISTEN: address, CADASTRE_OBJECTS_ADDRESS: '127.0.0.1:9', ...settings };
  const outbox = outboxOf([]);
  const service = await createEventsService(readSettings(eventsSettings, env), {
    logger: testLogger(),
    objects: { ...webhookRegistry(), outbox },
  });
  await service.start();
  cleanups.push(() => service.stop());
  const run = async (...args: string[]) => {
    const finished = await cadastre(['mail', 'test', ...args], { CADASTRE_EVENTS_ADDRESS: address });
    expect(outbox.settled).toEqual([]);
    return finished;
  };
  const json = async (to: string) => {
    const { code, stdout } = await run(to, '--json');
    return { code, ...JSON.parse(stdout) };
  };
  return { run, json };
}

const sending = (url: string, more: Record<string, string> = {}) =>
  registry({ CADASTRE_MAIL_URL: url, CADASTRE_MAIL_FROM: 'noreply@r.example', ...more });

test('a mail that the server accepts: how it went, and what it contains', async () => {
  const { mails, url } = await sink({}, loginOver('starttls'));
  const { json } = await sending(url, signed);
  const result = await json('noc@example.org');
  expect(result).toEqual({
    code: 0,
    server: new URL(url).host,
    tls: 'TLSv1.3',
    from: 'noreply@r.example',
    messageId: expect.stringMatching(/^<test\.test\.[0-9a-f-]{36}@r\.example>$/),
    dkimKey: 's1._domainkey.r.example',
    reply: expect.stringMatching(/^250 /),
    file: null,
    failedAt: null,
    reason: null,
    advice: null,
  });
  expect(mails).toMatchObject([{ from: 'noreply@r.example', to: 'noc@example.org', user, isSecure: true }]);
  const { headers, body } = mails[0]!;
  expect(Object.fromEntries(headers)).toMatchObject({
    from: 'TEST registry <noreply@r.example>',
    subject: 'Test of the mails of the TEST database',
    'message-id': result.messageId,
    'auto-submitted': 'auto-generated',
    'list-id': '<test.notifications.r.example>',
    'dkim-signature': expect.stringContaining('s=s1'),
  });
  expect(body).toContain('An operator of the registry requested it');
});

test.each<[string, tls: Login['tls'] | undefined, query: string, shown: string]>([
  ['TLS from the start', 'smtps', '', 'TLSv1.3'],
  ['STARTTLS without a user', 'starttls', '', 'TLSv1.3'],
  ['no TLS because of starttls=never', 'starttls', '/?starttls=never', 'none'],
  ['no TLS because the server has none', undefined, '', 'none'],
])('the text shows %s, and that nothing is signed', async (_, tls, query, shown) => {
  const { mails, url } = await sink({}, tls && loginOver(tls));
  const { run } = await sending(`${withoutUser(url)}${query}`);
  const { code, stdout, stderr } = await run('noc@example.org');
  expect([code, stdout]).toEqual([0, expect.stringMatching(new RegExp(`^tls: +${shown}$`, 'm'))]);
  expect(stdout).toMatch(/^dkim key: +none: not signed here$/m);
  expect(stderr).toContain('The mail server accepted the mail.');
  expect(mails).toHaveLength(1);
  expect(mails[0]!.headers.has('dkim-signature')).toBe(false);
});

test.each<[Login['tls'], string, Authority, string | null]>([
  ['smtps', 'the CA of the server', stranger, null],
  ['starttls', 'the CA of the server', stranger, null],
  ['smtps', 'another CA', authority, 'tls'],
  ['starttls', 'another CA', authority, 'tls'],
])('over %s with a file that has %s', async (tls, _, { directory: folder }, failedAt) => {
  const { url } = await sink({}, loginOver(tls, { by: stranger }));
  const { json } = await sending(url, { CADASTRE_MAIL_CA_FILE: join(folder, 'ca.crt') });
  expect(await json('noc@example.org')).toMatchObject({ failedAt });
});

test('a file of CAs that cannot be read ends the start', async () => {
  const settings = { CADASTRE_MAIL_CA_FILE: '/nowhere/ca.crt' };
  await expect(sending('smtps://mail.example.net', settings)).rejects.toThrow(
    'CADASTRE_MAIL_CA_FILE: the file cannot be read (ENOENT)',
  );
});

test('each test mail uses a connection of its own, and is another mail', async () => {
  const { mails, url } = await sink();
  const { run } = await sending(url);
  for (const _ of [1, 2]) expect((await run('noc@example.org')).code).toBe(0);
  expect(new Set(mails.map(({ headers }) => headers.get('message-id'))).size).toBe(2);
});

/** A server that greets with this line, or closes its port. */
async function port(greeting?: string): Promise<string> {
  const server = createServer((socket) => void socket.on('error', () => {}).end(greeting ?? ''));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const stop = () => new Promise((resolve) => server.close(resolve));
  const { port } = server.address() as AddressInfo;
  if (greeting === undefined) await stop();
  else cleanups.push(stop);
  return `smtp://127.0.0.1:${port}`;
}

const wrong = encodeURIComponent('of-another-server');

test.each<[string, url: () => Promise<string>, failedAt: string, reason: string, reply: string | null, advice: string]>(
  [
    ['nothing listens', port, 'connect', 'ECONNREFUSED', null, 'Check host and port'],
    ['a server refuses the client', () => port('554 no\r\n'), 'session', '554 no', '554 no', 'serves this client'],
    [
      'nobody knows who issued the certificate',
      async () => (await sink({}, loginOver('smtps', { by: stranger }))).url,
      ...(['tls', 'certificate', null, 'CADASTRE_MAIL_CA_FILE'] as const),
    ],
    [
      'the server has no STARTTLS for a login',
      async () => (await sink({}, loginOver('none'))).url,
      ...(['tls', 'STARTTLS: 500', '500', 'STARTTLS'] as const),
    ],
    [
      'the password is wrong',
      async () => (await sink({}, loginOver('starttls'))).url.replace(encodeURIComponent(password), wrong),
      ...(['login', 'wrong password', '535 wrong password', 'user and password'] as const),
    ],
    [
      'the recipient is refused',
      async () => (await sink({ 'noc@example.org': 550 })).url,
      ...(['recipient', '550 no mail for noc@example.org', '550 no mail', 'Check the address'] as const),
    ],
    [
      'the recipient is refused for now',
      async () => (await sink({ 'noc@example.org': 451 })).url,
      ...(['recipient', '451 no mail for noc@example.org', '451 no mail', 'try again in some minutes'] as const),
    ],
    [
      'the mail is refused',
      async () => {
        const server = await sink();
        server.beforeAccept = () => {
          throw Object.assign(new Error('5.7.1 Spam'), { responseCode: 554 });
        };
        return server.url;
      },
      ...(['content', '554 5.7.1 Spam', '554 5.7.1 Spam', 'SPF record'] as const),
    ],
  ],
)('the step that failed, and what to do: %s', async (_, url, failedAt, reason, reply, advice) => {
  const { json } = await sending(await url());
  expect(await json('noc@example.org')).toMatchObject({
    code: 2,
    failedAt,
    reason: expect.stringContaining(reason),
    reply: reply && expect.stringContaining(reply),
    advice: expect.stringContaining(advice),
  });
});

test('a failure as text: the step, the reply of the server, and the advice on standard error', async () => {
  const { url } = await sink({ 'noc@example.org': 550 });
  const { code, stdout, stderr } = await (await sending(url)).run('noc@example.org');
  expect(code).toBe(2);
  expect(stdout).toMatch(/^reply: +550 no mail for noc@example\.org$/m);
  expect(stdout).toMatch(/^failed at: +recipient$/m);
  expect(stderr).toContain('Check the address.');
});

test.each<[string, (password: string) => string]>([
  ['as it is', (given) => `${given} is wrong`],
  ['in base64', (given) => `cannot read ${Buffer.from(given).toString('base64')}`],
  ['with the user', (given) => `cannot read ${Buffer.from(`\0${user}\0${given}`).toString('base64')}`],
])('a server that repeats the password %s does not show it', async (_, refusal) => {
  const { url } = await sink({}, loginOver('starttls', { refusal }));
  const { json } = await sending(url.replace(encodeURIComponent(password), wrong));
  const { reply, reason } = await json('noc@example.org');
  expect([reply, reason]).toEqual([expect.stringContaining('***'), expect.stringContaining('***')]);
  expect(reply + reason).not.toContain(refusal('of-another-server'));
});

test('where mails become files, the command names the file', async () => {
  const { run } = await sending(pathToFileURL(directory).href, signed);
  const { code, stdout, stderr } = await run('noc@example.org');
  const [name] = (await readdir(directory)).filter((file) => file.endsWith('.eml'));
  expect([code, stdout]).toEqual([0, expect.stringContaining(`file:`)]);
  expect(stdout).toContain(join(directory, name!));
  expect(stdout).not.toMatch(/^(?:server|tls|dkim)/m);
  expect(stderr).toContain('The service sends no mails: it writes them into files');
  expect(await readFile(join(directory, name!), 'utf8')).toContain('To: noc@example.org');
});

test('a directory that cannot be written is a failure', async () => {
  const { json } = await sending(`${pathToFileURL(directory).href}/events.sock/mails`);
  expect(await json('noc@example.org')).toMatchObject({
    code: 2,
    file: null,
    failedAt: 'file',
    reason: expect.stringContaining('ENOTDIR'),
    advice: expect.stringContaining('write into the directory'),
  });
});

test.each([
  'noc',
  'noc@',
  'a@example.org, b@example.org',
  'NOC <noc@example.org>',
  'noc@example.org\r\nBcc: b@example.org',
  `${'n'.repeat(320)}@example.org`,
  '',
])('nothing goes to %j, which is not one address', async (address) => {
  const { mails, url } = await sink();
  const { code, stderr } = await (await sending(url)).run(address);
  expect([code, stderr]).toEqual([2, expect.stringContaining('must be one e-mail address')]);
  expect(mails).toEqual([]);
});

test('a service that only delivers to webhooks sends no test mails', async () => {
  const { run } = await registry({ CADASTRE_WEBHOOKS: 'true' });
  expect(await run('noc@example.org')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('sends no mails: CADASTRE_MAIL_URL'),
  });
});
