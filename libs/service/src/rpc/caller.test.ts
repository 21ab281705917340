import { Metadata } from '@grpc/grpc-js';
import { expect, test } from 'vitest';
import { callerOf, namesOf } from './caller.js';

test.each([
  [
    'DNS names and URIs, in lower case',
    'DNS:Gateway, DNS:gw.example.net, URI:spiffe://example.net/Gw',
    ['gateway', 'gw.example.net', 'spiffe://example.net/gw'],
  ],
  ['nothing of other kinds', 'IP Address:192.0.2.1, email:gateway, othername:<unsupported>', []],
  ['nothing where a name needs quoting, which might hide another one', 'DNS:"x, DNS:gateway", DNS:y', []],
  ['nothing without the extension', undefined, []],
] as const)('the names of a certificate are %s', (_, subjectaltname, names) => {
  expect(namesOf({ subjectaltname } as { subjectaltname?: string })).toEqual(names);
});

test.each([
  ['that is valid names its owner', 60_000, { name: 'gateway', kind: 'service' }],
  ['that expired after the handshake names no caller', -1000, { name: 'unknown', kind: 'unknown' }],
])('a certificate %s', (_, leftMs, caller) => {
  const certificate = { subjectaltname: 'DNS:gateway', valid_to: new Date(Date.now() + leftMs).toUTCString() };
  const surface = { metadata: new Metadata(), getAuthContext: () => ({ sslPeerCertificate: certificate as never }) };
  const known = { services: new Map([['gateway', 'gateway']]), systems: new Set<string>() };
  expect(callerOf(surface, { known, tokens: undefined, withTls: true })).toEqual(caller);
});
