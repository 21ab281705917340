import { expect, test } from 'vitest';
import type { Message } from '../api/message.js';
import { placeMessages } from './placed-messages.js';

const rows = [
  { id: 1, name: 'remarks', value: 'one', offered: false },
  { id: 2, name: 'remarks', value: 'two  words', offered: false },
  { id: 3, name: 'country', value: 'XX', offered: false },
  { id: 4, name: 'phone', value: '', offered: true },
];
const error = (text: string, attribute?: Message['attribute']): Message => ({
  severity: 'Error',
  text,
  ...(attribute ? { attribute } : {}),
});

test.each([
  [error('bad', { name: 'remarks', value: '        two words' }), 2],
  [error('bad', { name: 'country', value: '        NL' }), 3],
  [error('Mandatory attribute "phone" is missing'), 4],
])('%j is at row %i', (message, id) => {
  expect(placeMessages([message], rows).byRow.get(id)).toEqual([message]);
});

test.each([error('Authorisation failed'), error('bad', { name: 'remarks', value: 'three' })])(
  '%j is about the object as a whole',
  (message) => {
    expect(placeMessages([message], rows).rest).toEqual([message]);
  },
);
