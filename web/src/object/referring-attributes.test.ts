import { expect, test } from 'vitest';
import { referringAttributes } from './referring-attributes.js';

test.each([
  ['person', ['admin-c', 'tech-c', 'zone-c', 'ping-hdl', 'author']],
  ['aut-num', ['origin', 'local-as']],
  ['key-cert', ['auth']],
  ['organisation', ['org', 'sponsoring-org']],
  ['mntner', ['mnt-by', 'mnt-ref']],
  ['inetnum', []],
])('%s: %j', (type, attributes) => {
  expect(referringAttributes(type)).toEqual(expect.arrayContaining(attributes));
});
