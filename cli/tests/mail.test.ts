import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cadastre } from './fake-registry.js';

let directory: string;
const run = (...args: string[]) => cadastre(['mail', ...args], { CADASTRE_DATA_DIR: directory });

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cadastre-mails-'));
  await mkdir(join(directory, 'mails'));
  const files: [string, string, string][] = [
    ['test.9@r.example.eml', '=?UTF-8?Q?a_=3D_b?=', '2026-01-02T00:00:00Z'],
    ['test.10@r.example.eml', 'red \u001b[31m', '2026-01-02T00:00:00Z'],
    ['test.11@r.example.eml', 'old', '2026-01-01T00:00:00Z'],
    ['test.12@r.example.eml.part', 'unfinished', '2026-01-03T00:00:00Z'],
  ];
  for (const [name, subject, time] of files) {
    const file = join(directory, 'mails', name);
    const header = `To: a@example.net\nSubject: ${subject}\nContent-Transfer-Encoding: quoted-printable\n`;
    await writeFile(file, `${header}\nhttps://r.example/=\nunsubscribe\n`);
    await utimes(file, new Date(time), new Date(time));
  }
});
afterAll(() => rm(directory, { recursive: true }));

test('the mails are listed, newest first', async () => {
  expect(JSON.parse((await run('list', '--json', '--limit', '2')).stdout)).toEqual([
    { name: 'test.10@r.example', written: '2026-01-02T00:00:00.000Z', to: 'a@example.net', subject: 'red \u001b[31m' },
    { name: 'test.9@r.example', written: '2026-01-02T00:00:00.000Z', to: 'a@example.net', subject: 'a = b' },
  ]);
  expect((await run('list')).stdout).toContain('test.11@r.example');
});

test.each([
  [[], 'Subject: red \\x1b[31m\n'],
  [['test.9@r.example'], 'Subject: a = b\n'],
  [['test.9@r.example.eml'], 'Subject: a = b\n'],
])('show %j has header and text, without what a terminal would obey', async (names, subject) => {
  const { code, stdout } = await run('show', ...names);
  expect([code, stdout]).toEqual([0, expect.stringContaining(`To: a@example.net\n${subject}`)]);
  expect(stdout).toMatch(/\n\nhttps:\/\/r\.example\/unsubscribe\n$/);
});

test('show --json has the header and the text', async () => {
  const { stdout } = await run('show', 'test.9@r.example', '--json');
  expect(JSON.parse(stdout)).toMatchObject({
    name: 'test.9@r.example',
    fields: [{ name: 'To', value: 'a@example.net' }, { name: 'Subject' }, {}],
    text: 'https://r.example/unsubscribe\n',
  });
});

test.each([['test.12@r.example'], ['../mails/none'], ['/etc/passwd']])('there is no mail %s', async (name) => {
  expect(await run('show', name)).toMatchObject({ code: 2, stderr: expect.stringContaining('There is no mail') });
});

test('before the first mail the list is empty', async () => {
  const none = { CADASTRE_DATA_DIR: join(directory, 'none') };
  expect((await cadastre(['mail', 'list', '--json'], none)).stdout).toBe('[]\n');
  expect((await cadastre(['mail', 'show'], none)).code).toBe(2);
});
