import { expect, test } from 'vitest';
import { namesOf } from './caller.js';

test.each([
  [
    'DNS names and URIs, in lower case',
    'DNS:Gateway, DNS:gw.example.net, URI:spiffe://example.net/Gw',
    ['gateway', 'gw.example.net', 'spiffe://example.net/gw'],
  ],
  ['nothing of other kinds', 'IP Address:192.0.2.1, email:gateway, othername:<unsupported>', []],
  ['nothing where a name needs quoting, which might hide another one', 'DNS:"x, DNS:gateway", DNS:y', []],
  ['nothing of nothing', undefined, []],
] as const)('the names of a certificate are %s', (_, subjectaltname, names) => {
  expect(namesOf({ subjectaltname } as { subjectaltname?: string })).toEqual(names);
});
