import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { cadastre } from '../harness/cadastre.js';
import { type Rest, restClient } from '../harness/rest.js';
import { messagesOf, objectOf, values, type WhoisClient, whoisClient } from '../harness/whois.js';

const system = inject('sharedSystem');
const key = 'AS64500:AS-PAST';
const path = `/TEST/as-set/${key}`;
const setText = (descr: string) =>
  `as-set: ${key}\ndescr: ${descr}\ntech-c: EN1-TEST\nadmin-c: AE1-TEST\nmnt-by: EXAMPLE-MNT\nsource: TEST\n`;
let rest: Rest & { close(): void };
let whois: WhoisClient;
let directory: string;
/** The serials of creation, update and deletion. */
let serials: number[];

beforeAll(async () => {
  rest = restClient(system);
  whois = whoisClient(rest, system.credential);
  directory = await mkdtemp(join(tmpdir(), 'cadastre-past-'));
  const written = [
    await whois.create('as-set', setText('first')),
    await whois.update('as-set', key, setText('second')),
    await whois.remove('as-set', key),
  ];
  expect(written.map(({ status }) => status)).toEqual([200, 200, 200]);
  serials = written.map(({ headers }) => Number(headers['cadastre-serial']));
});

afterAll(async () => {
  rest?.close();
  await rm(directory, { recursive: true, force: true });
});

const asOf = (serial: number) => rest(`${path}.json?as-of=${serial}`);

test('lookups show each moment of an object, filtered as versions are', async () => {
  const [created = 0, updated = 0, deleted = 0] = serials;
  expect((await asOf(created - 1)).status).toBe(404);
  expect(values(objectOf(await asOf(created)), 'descr')).toEqual(['first']);
  const second = objectOf(await asOf(updated));
  expect([values(second, 'descr'), values(second, 'admin-c'), second.version]).toEqual([['second'], [], 2]);
  const gone = await asOf(deleted);
  expect([gone.status, messagesOf(gone)[1]]).toEqual([404, expect.stringContaining('The object was deleted on 2')]);
  expect((await rest(`${path}.json`)).status).toBe(404);
});

test('a client of the Memento protocol finds all versions', async () => {
  const { text } = await rest(`${path}/versions/timemap`);
  const mementos = [...text.matchAll(/<([^>]+)>;rel="[^"]*memento";datetime="([^"]+)"/g)];
  expect(mementos).toHaveLength(2);
  for (const [, url = '', datetime = ''] of mementos) {
    const memento = await rest(new URL(url).pathname);
    expect([memento.status, memento.headers['memento-datetime']]).toEqual([200, datetime]);
  }
  const earlier = await rest(path, { headers: { 'accept-datetime': 'Thu, 01 Jan 2015 00:00:00 GMT' } });
  expect(earlier.headers['content-location']).toBe(mementos[0]![1]);
});

test('an export and a search of the past agree with the lookups', async () => {
  const [created = 0] = serials;
  const output = join(directory, 'past.txt');
  const { stderr } = await cadastre(system, [
    ...['export', '--source', 'TEST', '--type', 'as-set', '--as-of', String(created), '--output', output],
  ]);
  expect(stderr).toContain(`as of serial ${created}\n`);
  expect(await readFile(output, 'latin1')).toMatch(/^descr: +first$/m);
  const found = await rest(`/search.json?query-string=192.0.2.1&type-filter=inetnum&as-of=${created}`);
  expect([found.status, Number(found.headers['cadastre-serial'])]).toEqual([200, created]);
  expect(values(objectOf(found), 'inetnum')).toEqual(['192.0.2.0 - 192.0.2.255']);
});

test('a search of the past finds what was inside a range; an inverse one says that it has no past', async () => {
  const [created = 0] = serials;
  const inside = await rest(`/search.json?query-string=192.0.0.0/16&flags=m&type-filter=inetnum&as-of=${created}`);
  expect(values(objectOf(inside), 'inetnum')).toEqual(['192.0.2.0 - 192.0.2.255']);
  const inverse = await rest(`/search.txt?query-string=EXAMPLE-MNT&inverse-attribute=mnt-by&as-of=${created}`);
  expect(inverse).toMatchObject({ status: 400, text: expect.stringContaining("not available with 'as-of'") });
});

test('erasing ends it', async () => {
  const args = ['history', 'erase', `as-set/${key}`, '--source', 'TEST', '--reason', 'test'];
  expect((await cadastre(system, args)).stdout).toContain('3 versions and ');
  expect((await asOf(serials[0]!)).status).toBe(410);
  expect((await rest(`${path}/versions/1`)).status).toBe(404);
  expect((await asOf(serials[2]!)).status).toBe(404);
});
