import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { pathToFileURL } from 'node:url';
import { type Notification, NotificationState } from '@cadastre/proto/objects';
import { readSettings, ServiceError } from '@cadastre/service';
import { type Authority, createAuthority, keepSecret, testLogger } from '@cadastre/service/testing';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createEventsService } from '../src/service.js';
import { eventsSettings } from '../src/settings.js';
import { type Login, type MailSink, startMailSink } from './mail-sink.js';
import { notification, outboxOf } from './outbox.fixture.js';
import { webhookRegistry } from './webhooks.fixture.js';

const {
  NOTIFICATION_STATE_SENT: sent,
  NOTIFICATION_STATE_FAILED: failed,
  NOTIFICATION_STATE_WAITING: waiting,
} = NotificationState;

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

async function sink(refused?: Record<string, number>): Promise<MailSink> {
  const started = await startMailSink(refused);
  cleanups.push(started.close);
  return started;
}

/** Runs the service on an outbox in memory. */
async function run(
  notifications: Notification[],
  url: string,
  more: Record<string, string> = {},
  beforeSettled: (settlements: number) => void = () => {},
) {
  keepSecret(more.CADASTRE_MAIL_DKIM_KEY);
  const settings = readSettings(eventsSettings, {
    CADASTRE_LISTEN: '127.0.0.1:0',
    CADASTRE_OBJECTS_ADDRESS: '127.0.0.1:9',
    CADASTRE_MAIL_URL: url,
    CADASTRE_MAIL_FROM: 'noreply@r.example',
    CADASTRE_BASE_URL: 'https://r.example/',
    ...more,
  });
  const outbox = outboxOf(notifications, beforeSettled);
  const service = await createEventsService(settings, {
    logger: testLogger(),
    objects: { ...webhookRegistry(), outbox },
    pollMs: 5,
    renewalMs: 5,
  });
  await service.start();
  let running: Promise<void> | undefined;
  const stop = () => (running ??= service.stop());
  cleanups.push(stop);
  const states = () => outbox.settled.map(({ id, state, retrySeconds }) => [id, state, retrySeconds]);
  return { outbox, states, stop };
}

const numbered = (count: number) =>
  Array.from({ length: count }, (_, at) => notification({ id: BigInt(at + 1), address: `a${at + 1}@example.org` }));

test('each notification becomes one mail and is settled', async () => {
  const { mails, url } = await sink();
  const { outbox } = await run(numbered(30), url);
  await expect.poll(() => outbox.settled.length).toBe(30);
  expect(new Set(mails.map(({ to }) => to)).size).toBe(30);
  expect(mails[0]).toMatchObject({ from: 'noreply@r.example' });
  expect(outbox.settled.every(({ state, attempt }) => state === sent && attempt === 1)).toBe(true);
});

test('a mail says who it is from, how to unsubscribe, and that a machine wrote it', async () => {
  const { mails, url } = await sink();
  await run([notification({ replyTo: 'alice@example.net' })], url, { CADASTRE_MAIL_NAME: 'EXAMPLE' });
  await expect.poll(() => mails.length).toBe(1);
  const { headers, body } = mails[0]!;
  expect(Object.fromEntries(headers)).toMatchObject({
    from: 'EXAMPLE registry <noreply@r.example>',
    to: 'noc@example.org',
    'reply-to': 'alice@example.net',
    subject: 'Notification of EXAMPLE database changes',
    'message-id': '<test.42-t87v6t@r.example>',
    'auto-submitted': 'auto-generated',
    precedence: 'bulk',
    'list-id': '<test.notifications.r.example>',
    'list-unsubscribe': '<https://r.example/notifications/unsubscribe/0b5ab7f2-5f0e-4a0e-8a1c-2f7f0c9b6f11>',
    'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
  });
  expect(body).toContain('OBJECT BELOW MODIFIED:');
});

test('a recipient that the server refuses for good gets no second attempt; others do, with the same Message-ID', async () => {
  const { mails, url } = await sink({ 'gone@example.org': 550, 'busy@example.org': 451 });
  const addresses = ['gone@example.org', 'busy@example.org', 'good@example.org'];
  const all = addresses.map((address, at) => notification({ id: BigInt(at), address }));
  const { outbox, states } = await run(all, url);
  await expect.poll(() => states().length).toBe(3);
  expect(states().sort()).toEqual([
    [0n, failed, 0],
    [1n, waiting, 10],
    [2n, sent, 0],
  ]);
  expect(outbox.settled.find(({ id }) => id === 0n)?.error).toContain('no mail for gone@example.org');
  outbox.advance(10);
  await expect.poll(() => states().length).toBe(4);
  expect(states()[3]).toEqual([1n, waiting, 60]);
  expect(mails).toHaveLength(1);
});

test('nothing goes to the address from which mails come', async () => {
  const { mails, url } = await sink();
  const addresses = ['NoReply@r.example', 'noc@example.org'];
  const all = addresses.map((address, at) => notification({ id: BigInt(at), address }));
  const { states } = await run(all, url);
  await expect
    .poll(() => states().sort())
    .toEqual([
      [0n, NotificationState.NOTIFICATION_STATE_SKIPPED, 0],
      [1n, sent, 0],
    ]);
  expect(mails.map(({ to }) => to)).toEqual(['noc@example.org']);
});

test('mails wait for an unavailable server and go once it is back', async () => {
  const server = await sink();
  server.beforeAccept = () => {
    throw Object.assign(new Error('try later'), { responseCode: 421 });
  };
  const { outbox, states } = await run(numbered(3), server.url);
  await expect.poll(() => states().length).toBe(3);
  expect(states().every(([, state, seconds]) => state === waiting && seconds === 10)).toBe(true);
  server.beforeAccept = () => {};
  outbox.advance(10);
  await expect.poll(() => server.mails.length).toBe(3);
  expect(server.mails.map(({ headers }) => headers.get('message-id')).sort()).toEqual([
    '<test.1-t87v6t@r.example>',
    '<test.2-t87v6t@r.example>',
    '<test.3-t87v6t@r.example>',
  ]);
});

test('mails that take long stay claimed, and go once', async () => {
  const server = await sink();
  const { promise: accepting, resolve: accept } = Promise.withResolvers<void>();
  server.beforeAccept = () => accepting;
  const { outbox } = await run([notification({ error: '421 try later' })], server.url);
  for (let advances = 0; advances < 4; advances++) {
    outbox.advance(20);
    const renewals = outbox.renewals.length;
    await expect.poll(() => outbox.renewals.length).toBeGreaterThan(renewals);
  }
  expect(outbox.renewals[0]).toMatchObject({ id: 42n, attempt: 1, retrySeconds: 30, error: '421 try later' });
  accept();
  await expect.poll(() => outbox.settled.map(({ state, attempt }) => [state, attempt])).toEqual([[sent, 1]]);
  expect(server.mails).toHaveLength(1);
});

test('a mail that objects cannot settle at the moment is settled later, and goes once', async () => {
  const { mails, url } = await sink();
  const { outbox } = await run([notification()], url, {}, (settlements) => {
    if (settlements <= 2) throw new ServiceError('unavailable', 'restarts');
  });
  await expect.poll(() => outbox.settled.length).toBe(3);
  expect(mails).toHaveLength(1);
});

test('a mail whose settlement is lost goes once more after the lease, with the same Message-ID', async () => {
  const { mails, url } = await sink();
  const { outbox } = await run([notification()], url, {}, (settled) => {
    if (settled === 1) throw new ServiceError('invalid', 'lost');
  });
  await expect.poll(() => outbox.settled.length).toBe(1);
  outbox.advance(30);
  await expect.poll(() => outbox.settled.length).toBe(2);
  expect(mails.map(({ headers }) => headers.get('message-id'))).toEqual([
    '<test.42-t87v6t@r.example>',
    '<test.42-t87v6t@r.example>',
  ]);
});

test('a service that stops ends the mails that it has begun and gives the others back', async () => {
  const server = await sink();
  const { promise: accepting, resolve: accept } = Promise.withResolvers<void>();
  let begun = 0;
  server.beforeAccept = () => {
    begun++;
    return accepting;
  };
  const { outbox, stop } = await run(numbered(8), server.url);
  await expect.poll(() => begun).toBe(4);
  const stopped = stop();
  accept();
  await stopped;
  expect(outbox.settled.filter(({ state }) => state === sent)).toHaveLength(4);
  expect(outbox.settled.filter(({ state, retrySeconds }) => state === waiting && retrySeconds === 0)).toHaveLength(4);
  expect(server.mails).toHaveLength(4);
});

test('mails have a DKIM signature where there is a key, which others can verify', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
  const { mails, url } = await sink();
  await run([notification()], url, { CADASTRE_MAIL_DKIM_SELECTOR: 's1', CADASTRE_MAIL_DKIM_KEY: key });
  await expect.poll(() => mails.length).toBe(1);
  const requested: string[] = [];
  const published = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  const resolver = async (name: string) => {
    requested.push(name);
    return [[`v=DKIM1; k=rsa; p=${published}`]];
  };
  const verify = async (mail: string) => (await dkimVerify(Buffer.from(mail), { resolver })).results;
  expect(await verify(mails[0]!.raw)).toMatchObject([
    { signingDomain: 'r.example', selector: 's1', status: { result: 'pass', aligned: 'r.example' } },
  ]);
  expect(requested).toEqual(['s1._domainkey.r.example']);
  for (const [word, other] of [
    ['Subject: Notification', 'Subject: Notice'],
    ['OBJECT BELOW', 'OBJECT ABOVE'],
    ['Auto-Submitted: auto-generated', 'Auto-Submitted: no'],
    ['Precedence: bulk', 'Precedence: list'],
  ] as const) {
    expect(mails[0]!.raw).toContain(word);
    const [result] = await verify(mails[0]!.raw.replace(word, other));
    expect(result?.status.result).not.toBe('pass');
  }
});

test('the DKIM signature covers both fields about unsubscribing (RFC 8058, section 4)', async () => {
  const { mails, url } = await sink();
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
  await run([notification()], url, { CADASTRE_MAIL_DKIM_SELECTOR: 's1', CADASTRE_MAIL_DKIM_KEY: key });
  await expect.poll(() => mails.length).toBe(1);
  const [, signed = ''] = /\bh=([^;]+);/.exec(mails[0]!.raw.replace(/\r\n\s+/g, '')) ?? [];
  const present = [...mails[0]!.raw.split('\r\n\r\n', 1)[0]!.matchAll(/^(List-[\w-]+):/gim)].map(([, name]) =>
    name!.toLowerCase(),
  );
  expect(present).toContain('list-unsubscribe-post');
  expect(signed.toLowerCase().split(':')).toEqual(expect.arrayContaining(present));
});

test.each([
  ['no key', 'nonsense'],
  ['an elliptic curve', generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }) as string],
])('a DKIM key that cannot sign stops the start: %s', async (_what, key) => {
  const { url } = await sink();
  await expect(run([], url, { CADASTRE_MAIL_DKIM_SELECTOR: 's1', CADASTRE_MAIL_DKIM_KEY: key })).rejects.toThrow(
    'CADASTRE_MAIL_DKIM_KEY: must be an RSA private key',
  );
});

test('no more connections than set go to the mail server', async () => {
  const server = await sink();
  const { promise: accepting, resolve: accept } = Promise.withResolvers<void>();
  let [begun, max] = [0, 0];
  server.beforeAccept = async () => {
    max = Math.max(max, ++begun);
    await accepting;
    begun--;
  };
  await run(numbered(12), server.url, { CADASTRE_MAIL_CONNECTIONS: '2' });
  await expect.poll(() => begun).toBe(2);
  accept();
  await expect.poll(() => server.mails.length).toBe(12);
  expect(max).toBe(2);
});

test('without a name and a public URL, mails have the name of the source and no links', async () => {
  const { mails, url } = await sink();
  await run([notification()], url, { CADASTRE_SOURCE: 'test', CADASTRE_BASE_URL: '' });
  await expect.poll(() => mails.length).toBe(1);
  expect(mails[0]!.headers.get('from')).toBe('TEST registry <noreply@r.example>');
  expect(mails[0]!.headers.has('list-unsubscribe')).toBe(false);
  expect(mails[0]!.body).not.toContain('http');
});

describe('with a user in the URL', () => {
  const [authority, stranger] = [createAuthority(), createAuthority()];
  const certificateOf = (one: Authority) => {
    const { tlsCertFile, tlsKeyFile } = one.certify('mail');
    return { cert: readFileSync(tlsCertFile, 'utf8'), key: readFileSync(tlsKeyFile, 'utf8') };
  };
  const usual = getCACertificates('default');
  beforeAll(() => setDefaultCACertificates([...usual, readFileSync(join(authority.directory, 'ca.crt'), 'utf8')]));
  afterAll(() => {
    setDefaultCACertificates(usual);
    for (const one of [authority, stranger]) one.remove();
  });
  const user = 'registry@r.example';
  const password = 'p@ss:w/rd?';
  const server = async (tls: Login['tls'], by = authority) => {
    const started = await startMailSink({}, { user, password, tls, certificate: certificateOf(by) });
    cleanups.push(started.close);
    return started;
  };

  test.each(['smtps', 'starttls'] as const)('the service logs in, over TLS: %s', async (tls) => {
    const { mails, url } = await server(tls);
    const { states } = await run([notification()], url);
    await expect.poll(states).toEqual([[42n, sent, 0]]);
    expect(mails).toMatchObject([{ user, isSecure: true }]);
  });

  test.each([
    ['uses STARTTLS', '', true],
    ['does not with starttls=never', '?starttls=never', false],
  ])('without a user the service %s', async (_what, query, isSecure) => {
    const { mails, url } = await server('starttls');
    const { states } = await run([notification()], `${url.replace(/\/\/.*@/, '//')}/${query}`);
    await expect.poll(states).toEqual([[42n, sent, 0]]);
    expect(mails).toMatchObject([{ isSecure }]);
  });

  test.each<[string, Login['tls'], Authority, string, string]>([
    ['the server has no TLS', 'none', authority, password, 'STARTTLS'],
    ['nobody knows who issued its certificate', 'smtps', stranger, password, 'certificate'],
    ['the password is wrong', 'starttls', authority, 'wrong', 'wrong password'],
  ])('a mail waits when %s', async (_what, tls, by, shown, error) => {
    const { mails, url } = await server(tls, by);
    const { outbox, states } = await run(
      [notification()],
      url.replace(encodeURIComponent(password), encodeURIComponent(shown)),
    );
    await expect.poll(states).toEqual([[42n, waiting, 10]]);
    expect(outbox.settled[0]?.error).toContain(error);
    expect(mails).toEqual([]);
  });
});

test('a quoted local part stays quoted', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'mails-'));
  cleanups.push(() => rm(directory, { recursive: true }));
  const { states } = await run([notification({ address: '"a,b@c"@example.org' })], pathToFileURL(directory).href);
  await expect.poll(() => states()).toEqual([[42n, sent, 0]]);
  const mail = await readFile(join(directory, 'test.42-t87v6t@r.example.eml'), 'utf8');
  expect(mail).toContain('To: <"a,b@c"@example.org>\n');
});

test('a directory takes mails as files', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'mails-'));
  cleanups.push(() => rm(directory, { recursive: true }));
  const { states } = await run([notification()], pathToFileURL(directory).href);
  await expect.poll(() => states()).toEqual([[42n, sent, 0]]);
  expect(await readdir(directory)).toEqual(['test.42-t87v6t@r.example.eml']);
  expect(await readFile(join(directory, 'test.42-t87v6t@r.example.eml'), 'utf8')).toContain('To: noc@example.org');
});

test.each([
  ['CADASTRE_MAIL_FROM', 'nobody'],
  ['CADASTRE_MAIL_FROM', 'a@example.net, b@example.net'],
])('%s cannot be %j', (name, value) => {
  const valid = { CADASTRE_OBJECTS_ADDRESS: 'objects:9090', CADASTRE_MAIL_URL: 'smtp://m', CADASTRE_MAIL_FROM: 'a@b' };
  expect(() => readSettings(eventsSettings, { ...valid, [name]: value })).toThrow(name);
});

test.each(['http://mail.example.net', 'mail.example.net', 'smtp://user:secret@mail.example.net/?starttls=never'])(
  'mails cannot go to %s',
  async (url) => {
    await expect(run([], url)).rejects.toThrow('CADASTRE_MAIL_URL');
  },
);

test('a selector without its key does not leave mails unsigned in silence', async () => {
  const started = run([], 'smtp://mail.example.net', { CADASTRE_MAIL_DKIM_SELECTOR: 'mail' });
  await expect(started).rejects.toThrow('both or none');
});

// The mail server of these tests decodes domains.
test.each<[string, address: string, to: string, envelope: string]>([
  ['a domain of other letters', 'noc@exämple.org', 'noc@xn--exmple-cua.org', 'noc@exämple.org'],
  ['line ends', 'noc@example.org\r\nBcc: x@example.net', '', ''],
  ['two addresses', 'a@example.org, b@example.net', '', ''],
])('an address with %s reaches one recipient, and no other header', async (_what, address, to, envelope) => {
  const { mails, url } = await sink();
  const { outbox } = await run([notification({ address })], url);
  await expect.poll(() => outbox.settled.length).toBe(1);
  expect(mails.map((mail) => [mail.headers.get('to'), mail.to])).toEqual(to === '' ? [] : [[to, envelope]]);
  expect(mails[0]?.headers.has('bcc') ?? false).toBe(false);
});

test('objects learns which recipients were refused because they do not exist', async () => {
  const { url } = await sink({ 'gone@example.org': 550, 'full@example.org': 552 });
  const addresses = ['gone@example.org', 'full@example.org', 'good@example.org'];
  const { outbox } = await run(
    addresses.map((address, at) => notification({ id: BigInt(at), address })),
    url,
  );
  await expect.poll(() => outbox.settled.length).toBe(3);
  const refused = outbox.settled.map(({ id, recipientRefused }) => [id, recipientRefused ?? false]);
  expect(refused.sort()).toEqual([
    [0n, true],
    [1n, false],
    [2n, false],
  ]);
});
