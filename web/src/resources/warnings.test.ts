import { expect, it, test } from 'vitest';
import type { CheckedObject } from '../api/checked-objects.js';
import type { ShownObject } from '../api/objects.js';
import { afterPage, newCheck, warningsOf } from './warnings.js';

const name = (type: string, key: string) => ({ source: 'TEST', type, key });
const contact = { key: 'AR1-TEST', email: 'abuse@example.net', suspect: false };

function object(type: string, key: string, more: Partial<ShownObject> = {}): CheckedObject {
  return { object: { name: name(type, key), attributes: [], tags: [], ...more }, lacksRoa: false };
}

const netOf = (key: string) => object('inetnum', key, { abuseContact: contact });

it.each<[string, CheckedObject, [kind: string, key: string, text: string][]]>([
  ['a network with a contact', netOf('10.0.0.0 - 10.0.0.255'), []],
  ['a network without one', object('inetnum', '10.0.0.0 - 10.0.0.255'), [['no-contact', '10.0.0.0 - 10.0.0.255', '']]],
  ['an AS number without one', object('aut-num', 'AS64500'), [['no-contact', 'AS64500', '']]],
  ['a set, which needs none', object('as-set', 'AS-EXAMPLE'), []],
  [
    'a network whose contact gets no mail',
    object('inetnum', '10.0.0.0 - 10.0.0.255', { abuseContact: { ...contact, suspect: true } }),
    [['undeliverable', 'AR1-TEST', 'abuse@example.net']],
  ],
  [
    'a route with a conflict',
    object('route', '10.0.0.0/24AS64500', { messages: [{ severity: 'Warning', text: 'A ROA\nsays no' }] }),
    [['conflict', '10.0.0.0/24AS64500', 'A ROA says no']],
  ],
  [
    'a route that no ROA covers',
    { ...object('route', '10.0.0.0/24AS64500'), lacksRoa: true },
    [['no-roa', '10.0.0.0/24AS64500', '']],
  ],
  [
    'an object that names a contact that does not exist',
    object('as-set', 'AS-EXAMPLE', {
      attributes: [
        { name: 'admin-c', value: 'NO1-TEST' },
        { name: 'tech-c', value: 'AE1-TEST', target: name('person', 'AE1-TEST') },
        { name: 'descr', value: 'No reference' },
      ],
    }),
    [['dead-reference', 'AS-EXAMPLE', 'admin-c: NO1-TEST']],
  ],
])('%s', (_what, checked, expected) => {
  expect(warningsOf(checked).map((one) => [one.kind, one.object.key, one.text])).toEqual(expected);
});

test('a check reads the pages of each mntner in turn, networks last', () => {
  const begun = newCheck([name('mntner', 'ONE-MNT'), name('mntner', 'TWO-MNT')]);
  const parts = begun.left.map(({ maintainer, types }) => [maintainer.key, types.includes('inetnum')]);
  expect(parts).toEqual([
    ['ONE-MNT', false],
    ['TWO-MNT', false],
    ['ONE-MNT', true],
    ['TWO-MNT', true],
  ]);
  const middle = afterPage(begun, { objects: [netOf('10.0.0.0/24')], next: 'abc' });
  expect([middle.left, middle.cursor, middle.checked]).toEqual([begun.left, 'abc', 1]);
  const second = afterPage(middle, { objects: [object('aut-num', 'AS64500')], next: '' });
  expect([second.left, second.cursor, second.checked]).toEqual([begun.left.slice(1), '', 2]);
  const third = afterPage(second, { objects: [object('aut-num', 'AS64500')], next: '' });
  expect([third.left, third.checked]).toEqual([begun.left.slice(2), 3]);
  // An object of two mntners counts once.
  expect(third.found['no-contact'].count).toBe(1);
});

test('a check keeps the first warnings, and counts the others', () => {
  const objects = Array.from({ length: 500 }, (_, at) => object('aut-num', `AS${at}`));
  const { found } = afterPage(newCheck([name('mntner', 'ONE-MNT')]), { objects, next: '' });
  expect([found['no-contact'].count, found['no-contact'].first.length]).toEqual([500, 200]);
});
