import { expect, test } from 'vitest';
import { parsePairs, parsePeerAddress } from './setting-values.js';

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
