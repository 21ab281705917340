import { expect, test } from 'vitest';
import { httpsAddress } from './https.js';

test.each([
  ['https://rest.example.net', 8443, 'localhost', 'https://rest.example.net'],
  ['http://rest.example.net', 8443, 'rest.example.net', undefined],
  [undefined, 8443, 'rest.example.net', 'https://rest.example.net:8443'],
  [undefined, 443, '[2001:db8::1]', 'https://[2001:db8::1]'],
  [undefined, 0, 'rest.example.net', undefined],
  [undefined, 8443, 'a<b>', undefined],
])('with the URL %s and the port %i, a client of %s is led to %s', (baseUrl, httpsPort, host, address) => {
  expect(httpsAddress({ baseUrl, httpsPort }, host)).toBe(address);
});
