import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { scanLogs } from './harness/scan-logs.js';

// Tests the scanner that test-logs.ts runs over all logs at the end of a run.

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cadastre-scan-'));
  await Promise.all(['logs', 'secrets'].map((name) => mkdir(join(directory, name))));
});
afterEach(() => rm(directory, { recursive: true }));

async function scan(log: string, ...secrets: string[]) {
  await writeFile(join(directory, 'secrets', 'a.log'), secrets.map((secret) => `${JSON.stringify(secret)}\n`).join(''));
  await writeFile(join(directory, 'logs', 'b.log'), `{"msg":"first"}\n${log}\n`);
  return (await scanLogs(directory)).map(({ file, line, kind }) => `${file}:${line} ${kind}`);
}

test.each<[string, string, string]>([
  ['in the middle of a line', '{"msg":"got Zq81hush72610 from 192.0.2.1"}', 'Zq81hush72610'],
  ['at the end', 'x hush72610', 'hush72610'],
  ['that two share the start of', '{"a":"hush7261-second"}', 'hush7261-second'],
  ['of several lines, escaped', JSON.stringify({ text: 'one line\nand "another"' }), 'one line\nand "another"'],
])('a secret is found %s', async (_, log, secret) => {
  expect(await scan(log, 'hush7261-first', secret, 'not there at all')).toEqual(['b.log:2 a secret of a test']);
});

test.each<[string, string]>([
  ['{"header":"Basic YWJjOmRlZmdoaWo="}', 'a Basic credential'],
  ['{"msg":"Bearer abc.def-ghi_jkl"}', 'a token'],
  ['{"t":"eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0."}', 'a token'],
  ['{"headers":{"authorization":"x"}}', 'an Authorization or Cookie header'],
  ['{"msg":"{\\"Cookie\\":\\"session=1\\"}"}', 'an Authorization or Cookie header'],
  ['Authorization: x', 'an Authorization or Cookie header'],
  ['-----BEGIN RSA PRIVATE KEY-----', 'a private key'],
  ['-----BEGIN PRIVATE KEY-----', 'a private key'],
  ['{"body":"-----BEGIN PGP SIGNED MESSAGE-----"}', 'a signed text'],
  ['GET /TEST/person/A?password=x', 'a password parameter'],
  ['{"url":"/x?a=b&override=me,secret"}', 'a password parameter'],
  ['{"url":"postgres://cadastre:secret@db/x"}', 'a password in a URL'],
])('%s looks like a secret', async (log, kind) => {
  expect(await scan(log)).toEqual([`b.log:2 ${kind}`]);
});

test.each([
  '{"headers":{"authorization":"[redacted]"}}',
  '{"msg":"HTTPS required for Authorization Header"}',
  '{"url":"/TEST/person/A?password=FILTERED"}',
  '{"url":"postgres://cadastre@db:5432/x"}',
  '{"msg":"basic things"}',
])('%s is accepted', async (log) => {
  expect(await scan(log, 'hush72610')).toEqual([]);
});
