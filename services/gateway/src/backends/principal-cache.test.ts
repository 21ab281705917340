import { Principal } from '@cadastre/proto/registry';
import { expect, it } from 'vitest';
import { createPrincipalCache, type PrincipalCache } from './principal-cache.js';

const none = { basic: '', bearerToken: '', session: '', clientCertificate: Buffer.alloc(0) };
const minuteMs = 60_000;
const identityOf = (accountId: string) => ({ principal: Principal.fromPartial({ accountId }), notices: [] });

function followed(): PrincipalCache {
  const identities = createPrincipalCache();
  identities.setFollowed(true);
  return identities;
}

it('confuses no credentials with others, in any part of a request', () => {
  const identities = followed();
  const requests = [
    { ...none, basic: 'ab' },
    { ...none, bearerToken: 'ab' },
    { ...none, session: 'ab' },
    { ...none, clientCertificate: Buffer.from('ab') },
    { ...none, basic: 'a', session: 'b' },
    { ...none, basic: 'a', bearerToken: 'b' },
  ];
  for (const [index, request] of requests.entries()) {
    const known = identities.find(request);
    expect(known.stored).toBeUndefined();
    known.keep(identityOf(`account ${index}`), minuteMs);
  }
  expect(requests.map((request) => identities.find(request).stored?.principal.accountId)).toEqual(
    requests.map((_, index) => `account ${index}`),
  );
});

it('caches a limited number, those with the latest use', () => {
  const identities = followed();
  const keep = (basic: string) => identities.find({ ...none, basic }).keep(identityOf('a-1'), minuteMs);
  const isStored = (basic: string) => identities.find({ ...none, basic }).stored !== undefined;
  for (let index = 0; index < 10_000; index++) keep(`key ${index}`);
  expect(isStored('key 0')).toBe(true);
  keep('one more');
  expect(['key 0', 'key 1', 'one more'].map(isStored)).toEqual([true, false, true]);
  identities.forgetAccount('a-1');
  expect(['key 0', 'one more'].map(isStored)).toEqual([false, false]);
});

it('caches nothing from before a change, or without a stream of changes', () => {
  const identities = createPrincipalCache();
  const request = { ...none, basic: 'key' };
  identities.find(request).keep(identityOf('a-1'), minuteMs);
  identities.setFollowed(true);
  const early = identities.find(request);
  identities.forgetAccount('b-2');
  early.keep(identityOf('a-1'), minuteMs);
  expect(identities.find(request).stored).toBeUndefined();
  const broken = identities.find(request);
  identities.setFollowed(false);
  identities.setFollowed(true);
  broken.keep(identityOf('a-1'), minuteMs);
  expect(identities.find(request).stored).toBeUndefined();
});
