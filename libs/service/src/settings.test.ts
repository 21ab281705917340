import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { describeSettings, readSettings, SettingsError } from './read-settings.js';
import { setting } from './settings.js';

const spec = {
  name: setting.text({ name: 'CADASTRE_NAME', doc: 'A name.', max: 5 }),
  count: setting.integer({ name: 'CADASTRE_COUNT', doc: 'A count.', default: 3, min: 1, max: 9 }),
  port: setting.port({ name: 'CADASTRE_PORT', doc: 'A port.', default: 8080 }),
  enabled: setting.flag({ name: 'CADASTRE_ENABLED', doc: 'A switch.', default: false }),
  sources: setting.list({ name: 'CADASTRE_SOURCES', doc: 'Some names.', default: [] }),
  limit: setting.duration({ name: 'CADASTRE_LIMIT', doc: 'A time.', default: '1500ms' }),
  base: setting.url({ name: 'CADASTRE_BASE', doc: 'A URL.', optional: true }),
  site: setting.baseUrl({ name: 'CADASTRE_SITE', doc: 'A URL.', optional: true }),
  kind: setting.oneOf(['red', 'blue'], { name: 'CADASTRE_KIND', doc: 'A word.', default: 'red' }),
  listen: setting.address({ name: 'CADASTRE_LISTEN', doc: 'An address.', default: '127.0.0.1:0' }),
  token: setting.secret({ name: 'CADASTRE_TOKEN', doc: 'A secret.', optional: true }),
};

const directory = mkdtempSync(path.join(tmpdir(), 'cadastre-settings-'));
afterAll(() => rmSync(directory, { recursive: true }));
const file = (text: string) => {
  const name = path.join(directory, 'secret');
  writeFileSync(name, text);
  return name;
};

test('absent and empty variables take their defaults', () => {
  expect(readSettings(spec, { CADASTRE_NAME: 'n', CADASTRE_COUNT: ' ', CADASTRE_KIND: '' })).toEqual({
    name: 'n',
    count: 3,
    port: 8080,
    enabled: false,
    sources: [],
    limit: 1500,
    base: undefined,
    site: undefined,
    kind: 'red',
    listen: '127.0.0.1:0',
    token: undefined,
  });
});

test.each([
  ['CADASTRE_COUNT', '9', { count: 9 }],
  ['CADASTRE_PORT', '0', { port: 0 }],
  ['CADASTRE_ENABLED', 'true', { enabled: true }],
  ['CADASTRE_SOURCES', 'A-GRS, B-GRS,,', { sources: ['A-GRS', 'B-GRS'] }],
  ['CADASTRE_LIMIT', '2m', { limit: 120_000 }],
  ['CADASTRE_BASE', 'https://idp.example.net/scim', { base: 'https://idp.example.net/scim' }],
  ['CADASTRE_BASE', 'https://idp.example.net/', { base: 'https://idp.example.net/' }],
  ['CADASTRE_SITE', 'https://r.example/db/', { site: 'https://r.example/db' }],
  ['CADASTRE_KIND', 'blue', { kind: 'blue' }],
  ['CADASTRE_LISTEN', '[::1]:50051', { listen: '[::1]:50051' }],
  ['CADASTRE_LISTEN', 'unix:/run/s', { listen: 'unix:/run/s' }],
])('%s=%s is read', (name, text, expected) => {
  expect(readSettings(spec, { CADASTRE_NAME: 'n', [name]: text })).toMatchObject(expected);
});

test.each([
  ['CADASTRE_NAME', 'longer', 'must have 1 to 5 characters'],
  ['CADASTRE_COUNT', '10', 'must be a whole number from 1 to 9'],
  ['CADASTRE_COUNT', '1e0', 'must be a whole number'],
  ['CADASTRE_PORT', '65536', 'must be a whole number from 0 to 65535'],
  ['CADASTRE_ENABLED', 'yes', 'must be true or false'],
  ['CADASTRE_LIMIT', '10', 'must be a duration'],
  ['CADASTRE_BASE', 'idp.example.net', 'must be an absolute URL'],
  ['CADASTRE_SITE', 'r.example', 'must be an absolute URL'],
  ['CADASTRE_KIND', 'green', 'must be one of red, blue'],
  ['CADASTRE_LISTEN', 'localhost', 'must be host:port'],
  ['CADASTRE_LISTEN', 'localhost:70000', 'must be host:port'],
  ['CADASTRE_LISTEN', 'unix:relative', 'must be host:port'],
])('%s=%s is refused', (name, text, problem) => {
  expect(() => readSettings(spec, { CADASTRE_NAME: 'n', [name]: text })).toThrow(`${name}: ${problem}`);
});

test('every bad setting is listed, one line each', () => {
  const read = () => readSettings(spec, { CADASTRE_COUNT: 'x', CADASTRE_LIMIT: 'x' });
  expect(read).toThrow(SettingsError);
  expect(read).toThrow(/^CADASTRE_NAME: is missing.*\nCADASTRE_COUNT: .*\nCADASTRE_LIMIT: .*$/);
});

describe('a secret', () => {
  const read = (env: Record<string, string>) => readSettings(spec, { CADASTRE_NAME: 'n', ...env });

  test('is read from the named file, without its final line end', () => {
    expect(read({ CADASTRE_TOKEN_FILE: file('s3cret \n') }).token).toBe('s3cret ');
  });

  test('may be in the environment outside production', () => {
    expect(read({ CADASTRE_TOKEN: 's3cret' }).token).toBe('s3cret');
  });

  test('is refused in the environment in production, and not shown', () => {
    const env = { CADASTRE_TOKEN: 's3cret', CADASTRE_ENVIRONMENT: 'production' };
    expect(() => read(env)).toThrow('CADASTRE_TOKEN: is not accepted in production');
    expect(() => read(env)).not.toThrow('s3cret');
  });

  test.each([
    ['is not there', () => path.join(directory, 'none'), 'ENOENT'],
    ['is empty', () => file('\n'), 'is empty'],
  ])('is refused when its file %s', (_, name, problem) => {
    expect(() => read({ CADASTRE_TOKEN_FILE: name() })).toThrow(problem);
  });
});

test('--help names every setting, secrets by their file', () => {
  const lines = describeSettings(spec).split('\n');
  expect(lines).toHaveLength(11);
  expect(lines[0]).toMatch(/^CADASTRE_NAME +text +required +A name\.$/);
  expect(lines[5]).toMatch(/^CADASTRE_LIMIT .* default 1500ms +A time\.$/);
  expect(lines[10]).toMatch(/^CADASTRE_TOKEN_FILE +path of a file +A secret\.$/);
});
