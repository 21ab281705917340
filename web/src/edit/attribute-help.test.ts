import { expect, test } from 'vitest';
import type { Message } from '../api/message.js';
import { attributeHelp, choicesOf, withHint } from './attribute-help.js';

test.each([
  ['status', 'inet6num', 'ASSIGNED PI', /independent/],
  ['status', 'inetnum', 'ALLOCATED PA', /LIR/],
  ['org-type', 'organisation', 'LIR', /local/],
  ['country', 'inetnum', 'NL', /^Netherlands$/],
  ['language', 'inetnum', 'NL', /^Dutch$/],
])('%s of %s is chosen from values with their meaning', (name, type, value, meaning) => {
  expect(choicesOf(name, type)).toContainEqual({ value, meaning: expect.stringMatching(meaning) });
});

test.each([
  ['status', 'person'],
  ['remarks', 'inetnum'],
  ['unknown', 'inetnum'],
])('%s of %s is written freely', (name, type) => {
  expect(choicesOf(name, type)).toBeUndefined();
});

test('the help of an enumeration lists its values, for the type', () => {
  expect(attributeHelp('status', 'aut-num').value).toBe('One of: ASSIGNED, LEGACY, OTHER.');
});

const about = (text: string, name: string): Message => ({ severity: 'Error', text, attribute: { name, value: 'x' } });

test('a message about a wrong value shows the correct form', () => {
  expect(withHint(about('Syntax error in x', 'phone'), 'person').hint).toMatch(/^Allowed: "\+", country code/);
  expect(withHint(about('Syntax error in x', 'status'), 'inetnum').hint).toMatch(/^Allowed: One of: ALLOCATED PA,/);
  expect(withHint(about('Country not recognised: x', 'country'), 'inetnum').hint).toContain('ISO 3166');
});

test.each([about('Unknown object referenced x', 'org'), about('Syntax error in x', 'no-attribute')])(
  '%j does not change',
  (message) => expect(withHint(message, 'inetnum')).toEqual(message),
);
