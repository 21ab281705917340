import { expect, test } from 'vitest';
import { findAmong, lineage, policy, registered } from '../../tests/testing.js';
import { resourceHolderOf } from './resource-holder.js';

const find = findAmong(
  registered('organisation: ORG-A1-TEST', 'org-name: First'),
  registered('organisation: ORG-A2-TEST', 'org-name: Second'),
);

const net = ['inetnum: 192.0.2.0 - 192.0.2.127', 'mnt-by: EX-MNT'];
const parent = ['inetnum: 192.0.2.0 - 192.0.2.255'];
const grandparent = ['inetnum: 192.0.0.0 - 192.0.255.255', 'mnt-by: EX-MNT', 'org: ORG-A2-TEST'];
const ofBoth = ['mnt-by: RS-MNT', 'mnt-lower: EX-MNT'];

test.each<[string, string[][], string | undefined]>([
  ['is the own organisation', [[...net, 'org: org-a1-test'], grandparent], 'ORG-A1-TEST'],
  [
    'is the own organisation of an object of the operator',
    [[...parent, 'mnt-by: RS-MNT', 'org: ORG-A1-TEST']],
    'ORG-A1-TEST',
  ],
  [
    'is otherwise that of the nearest enclosing object',
    [net, [...parent, 'mnt-by: EX-MNT', 'org: ORG-A1-TEST'], grandparent],
    'ORG-A1-TEST',
  ],
  ['skips a dangling reference', [[...net, 'org: ORG-ZZ9-TEST'], grandparent], 'ORG-A2-TEST'],
  [
    'does not come from an object of the operator alone',
    [net, [...parent, 'mnt-by: RS-MNT', 'mnt-lower: RS-MNT', 'org: ORG-A1-TEST'], grandparent],
    'ORG-A2-TEST',
  ],
  [
    'may come from an object of the operator and others',
    [net, [...parent, ...ofBoth, 'org: ORG-A1-TEST'], grandparent],
    'ORG-A1-TEST',
  ],
  ['is not the sponsor', [[...net, 'sponsoring-org: ORG-A1-TEST']], undefined],
  ['exists for AS numbers', [['aut-num: AS64500', 'org: ORG-A1-TEST']], 'ORG-A1-TEST'],
  [
    'exists for IPv6 space',
    [['inet6num: 2001:db8:1::/48'], ['inet6num: 2001:db8::/32', 'mnt-by: EX-MNT', 'org: ORG-A2-TEST']],
    'ORG-A2-TEST',
  ],
  ['does not exist for organisations', [['organisation: ORG-X1-TEST', 'org: ORG-A1-TEST']], undefined],
])('the holder %s', (_, [first, ...enclosing], holder) => {
  expect(resourceHolderOf(lineage(first!, ...enclosing), find, policy)?.key).toBe(holder);
});

test('the holder comes with its name', () => {
  expect(resourceHolderOf(lineage([...net, 'org: ORG-A1-TEST']), find, policy)).toEqual({
    key: 'ORG-A1-TEST',
    name: 'First',
  });
});
