import { expect, test } from 'vitest';
import { recognise } from './recognise.js';

test.each([
  ['', ''],
  ['192.0.2.77', 'an IPv4 address'],
  [' 192.0.2.0/24 ', 'an IPv4 prefix'],
  ['192.0.2.0 - 192.0.2.255', 'an IPv4 range, 192.0.2.0/24'],
  ['2001:db8::/32', 'an IPv6 prefix'],
  ['AS64500', 'an AS number'],
  ['AS64500 - AS64511', 'a range of AS numbers'],
  ['2.0.192.in-addr.arpa', 'a reverse domain'],
  ['noc@example.net', 'an e-mail address'],
  ['ORG-EX1-TEST', 'an organisation'],
  ['EXAMPLE-MNT', 'a maintainer'],
  ['AS64500:AS-EXAMPLE', 'a set of AS numbers'],
  ['AE1-TEST', 'a contact'],
  ['Wanda Walker', 'a name'],
])('%j is recognised as %j', (text, what) => {
  expect(recognise(text)).toBe(what);
});
