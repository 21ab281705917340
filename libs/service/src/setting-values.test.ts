import { expect, test } from 'vitest';
import { parseDatabaseUrl, parseLists, parsePairs, parsePeerAddress, parseProxyUrl } from './setting-values.js';

test.each([
  ['objects.example:9090', 'objects.example:9090'],
  ['unix:/run/objects.sock', 'unix:/run/objects.sock'],
  ['192.0.2.1:9090, 192.0.2.2:9090', '192.0.2.1:9090,192.0.2.2:9090'],
  ['[2001:db8::1]:9090,[2001:db8::2]:9090', '[2001:db8::1]:9090,[2001:db8::2]:9090'],
])('%s is an address to call', (text, value) => {
  expect(parsePeerAddress(text)).toEqual({ value });
});

test.each(['a.example:1,b.example:1', '192.0.2.1:1,[2001:db8::1]:1', '192.0.2.1:1,unix:/x', '192.0.2.1,192.0.2.2', ''])(
  '"%s" is no address to call',
  (text) => {
    expect(parsePeerAddress(text)).toHaveProperty('problem');
  },
);

test.each([
  'postgres://objects@localhost/cadastre?host=%2Frun%2Fpostgresql',
  'postgresql://o:p,w@db.example:5432/cadastre?sslmode=verify-full',
  'postgresql:///cadastre',
])('%s is a URL of a database', (text) => {
  expect(parseDatabaseUrl(text)).toEqual({ value: text });
});

test.each([
  'postgresql://a.example,b.example/cadastre',
  'postgresql://o@a.example:5432,b.example:5432/cadastre?target_session_attrs=read-write',
  'postgresql:///cadastre?host=a.example,b.example',
])('%s is refused as the URL of a database: it has several hosts', (text) => {
  expect(parseDatabaseUrl(text)).toHaveProperty('problem');
});

test.each(['http://proxy.example.net:3128', 'http://[2001:db8::1]/', 'http://user:p%40ss@proxy.example.net:3128'])(
  '%s is the URL of a proxy',
  (text) => expect(parseProxyUrl(text)).toEqual({ value: text }),
);

test.each([
  'proxy.example.net:3128',
  'https://proxy.example.net:3128',
  'socks5://proxy.example.net:1080',
  'http://proxy.example.net:3128/path',
  'http://proxy.example.net:3128?a=b',
  'http://user:100%@proxy.example.net:3128',
])('%s is refused as the URL of a proxy, and not shown', (text) => {
  const problem = 'must be http://HOST:PORT or http://USER:PASSWORD@HOST:PORT';
  expect(parseProxyUrl(text)).toEqual({ problem });
});

test('pairs are names and values; names may repeat', () => {
  expect(parsePairs(' a=x, a = y ,')).toEqual({
    value: [
      ['a', 'x'],
      ['a', 'y'],
    ],
  });
});

test.each(['a', 'a=', '=x', 'a=b=c'])('"%s" is not a pair', (text) => {
  expect(parsePairs(text)).toHaveProperty('problem');
});

test('lists have names, and are separated by spaces', () => {
  expect(parseLists(' SECURE=TEST,RIPE  RADB=RADB-GRS ')).toEqual({
    value: [
      ['SECURE', ['TEST', 'RIPE']],
      ['RADB', ['RADB-GRS']],
    ],
  });
  expect(parseLists('')).toEqual({ value: [] });
});

test.each(['SECURE', 'SECURE=', '=TEST', 'SECURE=TEST,', 'SECURE=TEST, RIPE', 'A=B=C', 'A=B,C=D'])(
  '"%s" is no list with a name',
  (text) => {
    expect(parseLists(text)).toHaveProperty('problem');
  },
);
