import { Severity } from '@cadastre/proto/registry';
import { formatMessage } from '@cadastre/rpsl';
import { describe, expect, test } from 'vitest';
import { indexOfRoas, objectOf, routeOf } from '../tests/testing.js';
import { routeCheck } from './check-route.js';

const check = (roas: readonly string[], announced: string) =>
  routeCheck(() => indexOfRoas(...roas))(routeOf(announced));

/** Which routes conflict, and with which ROA. */
function verdict(roas: readonly string[], announced: string): string {
  const [message] = check(roas, announced);
  if (message === undefined) return 'silent';
  const length = message.text.includes('less specific maximum length') ? 'length' : '';
  const origin = message.text.includes('different origin') ? 'origin' : '';
  const [, prefix, maxLength, asn] = message.args;
  return `${[length, origin].filter(Boolean).join('+')}: ${prefix}-${maxLength} AS${asn}`;
}

describe('one ROA', () => {
  test.each([
    // RFC 6811: valid, invalid, not found.
    ['AS64500 192.0.2.0/24', '192.0.2.0/24 AS64500', 'silent'],
    ['AS64500 192.0.2.0/24', '192.0.2.0/25 AS64500', 'length: 192.0.2.0/24-24 AS64500'],
    ['AS64500 192.0.2.0/24', '192.0.2.0/24 AS64501', 'origin: 192.0.2.0/24-24 AS64500'],
    ['AS64500 192.0.2.0/24', '192.0.2.128/25 AS64501', 'length+origin: 192.0.2.0/24-24 AS64500'],
    ['AS64500 192.0.2.0/24', '192.0.0.0/16 AS64501', 'silent'],
    ['AS64500 192.0.2.0/24', '198.51.100.0/24 AS64501', 'silent'],
    ['AS64500 192.0.2.0/24-25', '192.0.2.128/25 AS64500', 'silent'],
    ['AS64500 192.0.2.0/24-25', '192.0.2.128/26 AS64500', 'length: 192.0.2.0/24-25 AS64500'],
    ['AS64500 192.0.2.0/24-32', '192.0.2.1/32 AS64500', 'silent'],
    // AS 0 authorises nobody.
    ['AS0 192.0.2.0/24', '192.0.2.0/24 AS64500', 'origin: 192.0.2.0/24-24 AS0'],
    ['AS0 192.0.2.0/24', '192.0.2.0/24 AS0', 'origin: 192.0.2.0/24-24 AS0'],
    ['AS0 192.0.2.0/24', '192.0.2.0/25 AS0', 'length+origin: 192.0.2.0/24-24 AS0'],
    ['AS64500 192.0.2.0/24', '192.0.2.0/24 AS0', 'origin: 192.0.2.0/24-24 AS64500'],
    ['AS64500 2001:db8::/32-48', '2001:db8:1::/48 AS64500', 'silent'],
    ['AS64500 2001:db8::/32-48', '2001:db8:1::/49 AS64500', 'length: 2001:db8::/32-48 AS64500'],
    ['AS64500 2001:db8::/32', '2001:db8::/32 AS64501', 'origin: 2001:db8::/32-32 AS64500'],
    ['AS64500 2001:db8::/32', '2001:db8::/31 AS64501', 'silent'],
    ['AS64500 ::/0', '192.0.2.0/24 AS64501', 'silent'],
    ['AS64500 0.0.0.0/0', '2001:db8::/32 AS64501', 'silent'],
  ])('%s, route %s: %s', (roa, announced, expected) => {
    expect(verdict([roa], announced)).toBe(expected);
  });
});

describe('several ROAs', () => {
  test.each([
    ['one that authorises overrides the others', ['AS64501 192.0.2.0/24', 'AS64500 192.0.2.0/24'], 'silent'],
    ['a wider one that authorises too', ['AS64501 192.0.2.0/24', 'AS64500 192.0.0.0/16-24'], 'silent'],
    ['AS 0 does not override one that authorises', ['AS0 192.0.2.0/24', 'AS64500 192.0.2.0/24'], 'silent'],
    ['longer ones do not count', ['AS64501 192.0.2.0/25', 'AS64501 192.0.2.128/25'], 'silent'],
    [
      'the warning names the prefix that sorts first as text, not the nearest',
      ['AS64501 192.0.2.0/24', 'AS64502 192.0.0.0/8', 'AS64503 192.0.0.0/16'],
      'length+origin: 192.0.0.0/16-16 AS64503',
    ],
    [
      'the warning names the first of equal prefixes in the export',
      ['AS64502 192.0.2.0/24', 'AS64501 192.0.2.0/24'],
      'origin: 192.0.2.0/24-24 AS64502',
    ],
    [
      'equal prefixes of different maximum lengths',
      ['AS64500 192.0.2.0/23', 'AS64501 192.0.2.0/23-24'],
      'length: 192.0.2.0/23-23 AS64500',
    ],
  ])('%s', (_, roas, expected) => {
    expect(verdict(roas, '192.0.2.0/24 AS64500')).toBe(expected);
  });
});

describe('the warning', () => {
  const roas = ['AS64500 192.0.2.0/24'];
  const beginning = 'Warning: this ROUTE object conflicts with an RPKI ROA with a prefix 192.0.2.0/24 and ';
  const advice = (announcement: string) =>
    `\nAs a result, many autonomous systems may reject ${announcement} even if it matches the ROUTE object. You should consider either removing this ROUTE object or updating/deleting the RPKI ROA.\n`;

  test.each([
    ['192.0.2.0/24 AS64501', 'a maximum length /24 but a different origin AS64500.', 'a BGP announcement'],
    ['192.0.2.0/25 AS64500', 'a less specific maximum length /24 but same origin AS64500.', 'a BGP announcement'],
    ['192.0.2.0/25 AS64501', 'a less specific maximum length /24 and a different origin AS64500.', 'an announcement'],
  ])('%s', (announced, difference, announcement) => {
    const [message] = check(roas, announced);
    expect(message?.severity).toBe(Severity.SEVERITY_WARNING);
    expect(formatMessage(message!)).toBe(`${beginning}${difference}${advice(announcement)}`);
  });

  test('names the type in capitals', () => {
    const [message] = check(['AS64500 2001:db8::/32'], '2001:db8::/32 AS64501');
    expect(message?.args).toEqual(['ROUTE6', '2001:db8::/32', '32', '64500']);
  });
});

test('no warning for other objects, nor without payloads', () => {
  const mntner = objectOf('mntner: EXAMPLE-MNT\nsource: TEST\n');
  expect(routeCheck(() => indexOfRoas('AS64500 0.0.0.0/0'))(mntner)).toEqual([]);
  expect(routeCheck(() => undefined)(routeOf('192.0.2.0/24 AS64500'))).toEqual([]);
});
