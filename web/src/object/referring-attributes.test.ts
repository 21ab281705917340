import { expect, test } from 'vitest';
import { referringAttributes, referringAttributesOfThePast } from './referring-attributes.js';

test.each([
  ['person', ['admin-c', 'tech-c', 'zone-c', 'ping-hdl', 'author'], []],
  ['aut-num', ['origin', 'local-as'], []],
  ['key-cert', ['auth'], []],
  ['organisation', ['org', 'sponsoring-org'], ['org', 'sponsoring-org']],
  ['mntner', ['mnt-by', 'mnt-ref'], ['mnt-by', 'mnt-ref']],
  ['inetnum', [], []],
])('%s: now %j, in the past %j', (type, now, past) => {
  expect(referringAttributes(type)).toEqual(expect.arrayContaining(now));
  const ofThePast = referringAttributesOfThePast(type);
  expect(ofThePast).toEqual(expect.arrayContaining(past));
  if (past.length === 0) expect(ofThePast).toEqual([]);
});
