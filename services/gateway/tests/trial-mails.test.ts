import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SettingsError } from '@cadastre/service';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningGateway, type SendOptions, startGateway } from './gateway.fixture.js';

const url = '/-/trial/mails';
let directory: string;
let gateway: RunningGateway;

const mail = (subject: string, body = 'A text.') => `To: a@example.net\nSubject: ${subject}\n\n${body}\n`;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'mails-'));
  const long = mail('large', 'x'.repeat(2 * 1024 * 1024));
  const files: [string, string, string][] = [
    ['test.9@r.example.eml', mail('second'), '2026-01-02T00:00:00Z'],
    ['test.10@r.example.eml', mail('third'), '2026-01-02T00:00:00Z'],
    ['test.11@r.example.eml', long, '2026-01-01T00:00:00Z'],
    ['test.12@r.example.eml.part', mail('unfinished'), '2026-01-03T00:00:00Z'],
    ['secret.key', 'secret', '2026-01-03T00:00:00Z'],
  ];
  for (const [name, text, time] of files) {
    await writeFile(join(directory, name), text);
    await utimes(join(directory, name), new Date(time), new Date(time));
  }
  const settings = { CADASTRE_TRIAL_MAILS_DIR: directory, CADASTRE_TRUSTED_PROXIES: '127.0.0.1' };
  gateway = await startGateway({}, settings);
});

afterAll(async () => {
  await gateway?.stop();
  await rm(directory, { recursive: true });
});

test('the mails of a trial are listed, newest first, each with its beginning', async () => {
  const { status, headers, text } = await gateway.send(url);
  expect([status, headers['content-type']]).toEqual([200, 'application/json']);
  expect(headers['cache-control']).toContain('no-store');
  expect(headers).not.toHaveProperty('access-control-allow-origin');
  const { mails } = JSON.parse(text) as { mails: { name: string; time: string; head: string }[] };
  expect(mails.map(({ name, time }) => [name, time])).toEqual([
    ['test.10@r.example.eml', '2026-01-02T00:00:00.000Z'],
    ['test.9@r.example.eml', '2026-01-02T00:00:00.000Z'],
    ['test.11@r.example.eml', '2026-01-01T00:00:00.000Z'],
  ]);
  expect(mails[0]!.head).toBe(mail('third'));
  expect(mails[2]!.head).toHaveLength(4 * 1024);
});

test('a mail is the text that was written, at most a MiB of it', async () => {
  const { headers, text } = await gateway.send(`${url}/test.9%40r.example.eml`);
  expect([headers['content-type'], text]).toEqual(['text/plain;charset=utf-8', mail('second')]);
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect((await gateway.send(`${url}/test.11@r.example.eml`)).text).toHaveLength(1024 * 1024);
});

test.each<[string, string, SendOptions]>([
  ['over HTTP', url, { secure: false }],
  ['to another machine', url, { headers: { 'x-forwarded-for': '192.0.2.1' } }],
  ['through a proxy on this machine', url, { headers: { 'x-forwarded-for': '127.0.0.1' } }],
  ['through a proxy with the standard header', url, { headers: { forwarded: 'for=127.0.0.1' } }],
  ['of a mail to another machine', `${url}/test.9@r.example.eml`, { headers: { 'x-forwarded-for': '192.0.2.1' } }],
  ['of an unknown mail', `${url}/test.99@r.example.eml`, {}],
  ['of an unfinished mail', `${url}/test.12@r.example.eml.part`, {}],
  ['of another file', `${url}/secret.key`, {}],
  ['of a file elsewhere', `${url}/%2e%2e%2fx.eml`, {}],
])('there is nothing %s', async (_what, path, options) => {
  const { status, text } = await gateway.send(path, options);
  expect([status, text]).toEqual([404, expect.not.stringContaining('example.net')]);
});

test('before the first mail the list is empty', async () => {
  const fresh = await startGateway({}, { CADASTRE_TRIAL_MAILS_DIR: join(directory, 'none') });
  expect(JSON.parse((await fresh.send(url)).text)).toEqual({ mails: [] });
  await fresh.stop();
});

test('only trials have mails: other gateways have none, and production refuses the setting', async () => {
  const bare = await startGateway();
  expect((await bare.send(url)).status).toBe(404);
  await bare.stop();
  const production = { CADASTRE_TRIAL_MAILS_DIR: directory, CADASTRE_ENVIRONMENT: 'production' };
  await expect(startGateway({}, production)).rejects.toThrow(SettingsError);
});
