import { expect, test } from 'vitest';
import {
  attributeType,
  attributeTypes,
  isObjectTypeName,
  objectType,
  objectTypeNames,
  objectTypes,
  syntaxes,
} from './types.js';

test('there are 21 types, 106 attributes and 357 template lines', () => {
  expect(objectTypes).toHaveLength(21);
  expect(attributeTypes).toHaveLength(106);
  expect(objectTypes.flatMap((t) => t.attributes)).toHaveLength(357);
});

test('types are listed in display order', () => {
  expect(objectTypes.map((t) => t.name)).toEqual(objectTypeNames);
});

test.each([
  ['inetnum', ['inetnum']],
  ['route', ['route', 'origin']],
  ['route6', ['route6', 'origin']],
  ['person', ['nic-hdl']],
  ['role', ['nic-hdl']],
  ['as-block', ['as-block']],
])('the key of %s is %j', (name, key) => {
  expect(objectType(name)?.keyAttributes).toEqual(key);
});

test('organisations are looked up by id, name and e-mail', () => {
  const lookedUp = objectType('organisation')?.attributes.filter(({ keys }) => keys.includes('lookup'));
  expect(lookedUp?.map(({ name }) => name)).toEqual(['organisation', 'org-name', 'e-mail']);
});

test('every type starts with its own attribute and ends with source', () => {
  for (const type of objectTypes) {
    expect(type.attributes[0]?.name).toBe(type.name);
    expect(type.attributes.at(-1)?.name).toBe('source');
  }
});

test('every attribute has a name, a short name of its own and a described syntax', () => {
  const names = attributeTypes.flatMap((a) => [a.name, a.shortName]);
  expect(new Set(names).size).toBe(names.length);
  const described = new Set(syntaxes.map((s) => s.id));
  expect(attributeTypes.filter((a) => !described.has(a.syntax))).toEqual([]);
});

test.each([
  ['mnt-by', 'mnt-by'],
  ['MNT-BY', 'mnt-by'],
  ['mb', 'mnt-by'],
  ['*MB', 'mnt-by'],
  ['con', 'contact'],
  ['*con', undefined],
  ['*mnt-by', undefined],
  ['mnt-by ', undefined],
  ['constructor', undefined],
])('attribute %j is %j', (written, name) => {
  expect(attributeType(written)?.name).toBe(name);
});

test.each([
  ['INETNUM', 'inetnum'],
  ['in', 'inetnum'],
  ['is', 'rtr-set'],
  ['nic-hdl', undefined],
])('type %j is %j', (written, name) => {
  expect(objectType(written)?.name).toBe(name);
});

test('only the exact long name is an object type name', () => {
  expect(isObjectTypeName('as-set')).toBe(true);
  expect(isObjectTypeName('AS-SET')).toBe(false);
  expect(isObjectTypeName('as')).toBe(false);
});
