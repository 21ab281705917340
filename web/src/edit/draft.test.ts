import { objectTypeNames, samples } from '@cadastre/rpsl';
import { expect, test } from 'vitest';
import {
  add,
  addable,
  change,
  type Draft,
  draftOfText,
  drop,
  fill,
  newDraft,
  submitted,
  textByPeople,
  textOf,
} from './draft.js';
import { asDraft } from './object-text.js';

const read = (text: string) => asDraft(text)!;
const names = ({ rows }: Draft) => rows.map(({ name }) => name);
const idOf = ({ rows }: Draft, name: string) => rows.find((row) => row.name === name)!.id;

test.each(objectTypeNames)('%s: a round trip from text to form and back loses nothing', (type) => {
  expect(textOf(read(samples[type]))).toBe(samples[type]);
});

test('comments, continuation lines and empty lines are preserved', () => {
  const text =
    'person:         Wanda # of the walk\nremarks:        one\n                two\n+\nremarks:\nsource:         TEST\n';
  expect(textOf(read(text))).toBe(text);
});

test('mandatory attributes are offered, and count once they are filled in', () => {
  const draft = read('person: Wanda Walker\nsource: TEST\n');
  expect(names(draft)).toEqual(['person', 'e-mail', 'nic-hdl', 'mnt-by', 'source']);
  expect(submitted(draft).map(({ name }) => name)).toEqual(['person', 'source']);
  const filled = change(draft, idOf(draft, 'e-mail'), 'wanda@example.net');
  expect(submitted(filled)).toContainEqual({ name: 'e-mail', value: 'wanda@example.net' });
});

test('generated attributes remain in the text, and are not sent', () => {
  const draft = read('person: W\nlast-modified: 2026-01-01T00:00:00Z\nsource: TEST\n');
  expect(textOf(draft)).toContain('last-modified:');
  expect(submitted(draft).map(({ name }) => name)).toEqual(['person', 'source']);
  expect(textByPeople(textOf(draft))).toBe('person:         W\nsource:         TEST\n');
  expect(textByPeople('')).toBe('');
});

test('a new object has the mandatory attributes and the known values', () => {
  const draft = newDraft('person', { 'nic-hdl': 'AUTO-1', source: 'TEST', phone: '+31 20 555 0100' });
  expect(names(draft)).toEqual(['person', 'phone', 'e-mail', 'nic-hdl', 'mnt-by', 'source']);
  expect(submitted(draft).map(({ value }) => value)).toEqual(['', '+31 20 555 0100', 'AUTO-1', 'TEST']);
});

test('an attribute is added after those of its name, else at its place in the template', () => {
  const draft = read(samples.person);
  const addresses = names(draft).lastIndexOf('address');
  expect(names(add(draft, 'address'))[addresses + 1]).toBe('address');
  const withRemark = add(read('person: W\nnic-hdl: AUTO-1\nmnt-by: A-MNT\nsource: TEST\n'), 'remarks');
  expect(names(withRemark).indexOf('remarks')).toBeLessThan(names(withRemark).indexOf('mnt-by'));
});

test('single attributes are offered once, and generated ones never', () => {
  const offers = addable(read(samples.person)).map(({ name }) => name as string);
  expect(offers).toContain('remarks');
  for (const name of ['person', 'nic-hdl', 'created', 'last-modified']) expect(offers).not.toContain(name);
});

test('pasted lines become rows', () => {
  const draft = newDraft('key-cert', { 'key-cert': 'AUTO-1' });
  const filled = fill(draft, idOf(draft, 'certif'), ['-----BEGIN-----', '', '-----END-----']);
  expect(textOf(filled)).toContain('certif:         -----BEGIN-----\ncertif:\ncertif:         -----END-----\n');
  expect(names(drop(filled, idOf(filled, 'certif'))).filter((name) => name === 'certif')).toHaveLength(2);
});

test('invalid text gives the reason', () => {
  expect(draftOfText('nothing')).toHaveProperty('fault');
  expect(draftOfText('no-type: x\n')).toEqual({ fault: 'Invalid object type: no-type' });
});
