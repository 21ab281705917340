import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { keepSecret } from '@cadastre/service/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { cadastre } from './harness/cadastre.js';
import { eventually } from './harness/eventually.js';
import { personText } from './harness/person-text.js';
import { type Rest, restClient } from './harness/rest.js';
import { freshDirectory, inOneProcess, type RunningSystem, runSystem } from './harness/run-system.js';
import { messagesOf, type WhoisClient, whoisClient } from './harness/whois.js';

// Starting the whole system takes longer on a busy machine.
vi.setConfig({ testTimeout: 400_000 });

let data: Awaited<ReturnType<typeof freshDirectory>>;
let system: RunningSystem;
let rest: Rest & { close(): void };
let whois: WhoisClient;

beforeAll(async () => {
  data = await freshDirectory();
  system = await runSystem(data.directory, inOneProcess);
  rest = restClient(system);
  whois = whoisClient(rest, system.credential);
  await cadastre(system, ['email', 'confirm', 'noc@example.net']);
});

afterAll(async () => {
  rest?.close();
  await system?.stop();
  await data.remove();
});

const notified = (key: string, address: string, name = 'Nora Notified') =>
  personText(name, key).replace('mnt-by:', `notify:         ${address}\nmnt-by:`);

/** Waits for the only mail to an address that contains a word; in plain text. */
function mailTo(address: string, word: string): Promise<string> {
  return eventually(async () => {
    const directory = join(data.directory, 'mails');
    const files = (await readdir(directory)).filter((name) => name.endsWith('.eml'));
    const mails = await Promise.all(files.map((name) => readFile(join(directory, name), 'utf8')));
    const found = mails.filter((mail) => mail.includes(`To: ${address}\n`) && mail.includes(word));
    expect(found).toHaveLength(1);
    return found[0]!.replace(/=\n/g, '').replace(/=3D/g, '=');
  });
}

test('a new address is asked first, by a mail without the text; who confirms is told of later writes', async () => {
  const created = await whois.create('person', notified('NN2-TEST', 'new@example.net'));
  expect([created.status, messagesOf(created)]).toEqual([200, []]);
  const question = await mailTo('new@example.net', 'Confirm that you want mails');
  expect(question).not.toContain('NN2-TEST');
  const [, link = ''] = /^(https:\S+\/notifications\/confirm\/\S+)$/m.exec(question) ?? [];
  expect((await rest(new URL(link).pathname)).status).toBe(200);
  const silent = await whois.update('person', 'NN2-TEST', notified('NN2-TEST', 'new@example.net', 'Nora Unasked'));
  expect(silent.status).toBe(200);
  await eventually(async () => {
    const { stdout } = await cadastre(system, ['events', 'list', '--state', 'skipped', '--json']);
    expect(JSON.parse(stdout)).toMatchObject([{ address: 'new@example.net', error: 'the address is not confirmed' }]);
  });
  expect((await rest(new URL(link).pathname, { method: 'POST' })).status).toBe(200);
  await whois.update('person', 'NN2-TEST', notified('NN2-TEST', 'new@example.net', 'Nora Told'));
  expect(await mailTo('new@example.net', 'NN2-TEST')).toContain('Nora Told');
});

test('strangers get no mails beyond 50 new addresses of an account on a day', async () => {
  const many = Array.from({ length: 60 }, (_, at) => `notify:         s${at}@example.net\n`).join('');
  const text = personText('Sam Sender', 'SS1-TEST').replace('mnt-by:', `${many}mnt-by:`);
  const refused = await whois.create('person', text);
  expect([refused.status, messagesOf(refused)]).toEqual([429, [expect.stringMatching(/names 60 e-mail addresses/)]]);
});

test('a write is told by mail, by whose link the reader unsubscribes', async () => {
  const confirmed = await cadastre(system, ['email', 'confirm', 'nora@example.net']);
  expect(confirmed.stdout).toBe('1 address confirmed\n');
  const created = await whois.create('person', notified('NN1-TEST', 'nora@example.net'));
  expect([created.status, messagesOf(created)]).toEqual([200, []]);
  const mail = await mailTo('nora@example.net', 'NN1-TEST');
  expect(mail).toContain('OBJECT BELOW CREATED:');
  expect(mail).toMatch(/^Changed by: +alice@example.net \(API key /m);
  expect(mail).toMatch(/^From-Host: +(?:127\.0\.0\.1|::1)$/m);
  expect(mail).toMatch(/^X-Registry-Serial: \d+$/m);
  const [, link = ''] = /^List-Unsubscribe: <(https:[^>]+)>$/m.exec(mail.replace(/\n[ \t]+/g, ' ')) ?? [];
  const unsubscribed = await rest(new URL(link).pathname, { method: 'POST', body: 'List-Unsubscribe=One-Click' });
  expect(unsubscribed.status).toBe(200);
  const updated = await whois.update('person', 'NN1-TEST', notified('NN1-TEST', 'nora@example.net', 'Nora Silent'));
  expect([updated.status, messagesOf(updated)]).toEqual([
    200,
    ['Warning: Not sending notification to nora@example.net because it is unsubscribe.'],
  ]);
});

test('a refusal is told to the mntners of the object', async () => {
  const key = await cadastre(system, ['api-key', 'create', '--user', 'bob@example.net', '--name', 'b']);
  const credential = key.stdout.trim().split('\n').at(-1)!;
  keepSecret(credential);
  const refused = await whoisClient(rest, credential).create('person', personText('Bob Builder', 'BB1-TEST'));
  expect(refused.status).toBe(401);
  const mail = await mailTo('noc@example.net', 'BB1-TEST');
  expect(mail).toContain('auth error notification');
  expect(mail).toContain('CREATE REQUESTED FOR:');
});

test('an operator sees a notification and sends it again', async () => {
  const { stdout } = await cadastre(system, ['events', 'list', '--state', 'sent', '--json']);
  const sent = JSON.parse(stdout) as { id: number; address: string }[];
  const first = sent.find(({ address }) => address === 'noc@example.net');
  const shown = await cadastre(system, ['events', 'show', String(first!.id)]);
  expect(shown.stdout).toMatch(/^address: +noc@example\.net$/m);
  const again = await cadastre(system, ['events', 'resend', String(first!.id)]);
  expect(again.stdout).toBe('1 notification is sent again\n');
  await eventually(async () => {
    const after = await cadastre(system, ['events', 'list', '--json']);
    const found = (JSON.parse(after.stdout) as { id: number; state: string }[]).find(({ id }) => id === first!.id);
    expect(found?.state).toBe('sent');
  });
});
