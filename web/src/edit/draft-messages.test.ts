import { expect, test } from 'vitest';
import type { Message } from '../api/message.js';
import { type Draft, draftOfText } from './draft.js';
import { faultyLine, placeMessages, withLines, withRoaState } from './draft-messages.js';

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

test.each([
  ['', 1],
  ['nothing', 1],
  ['\n\nnothing: X', 3],
  ['person: X\naddress: Y\n  more\nno attribute\nsource: TEST', 4],
  ['person: X\n+ more\n: empty\n', 3],
])('the text %j has its fault in line %i', (text, line) => {
  expect(faultyLine(text)).toBe(line);
});

test('a message about an attribute has the number of its line', () => {
  const text = 'as-set: AS-X\ndescr: a\n  b\n\tc\nmembers: AS1\nmembers: AS-\nmnt-by: A-MNT\nsource: TEST\n';
  const about = (name: string, value: string) => ({
    severity: 'Error' as const,
    text: 'wrong',
    attribute: { name, value },
  });
  const messages = [about('members', 'AS-'), about('mnt-by', 'a-mnt'), { severity: 'Error' as const, text: 'all' }];
  expect(withLines(messages, draftOfText(text) as Draft, text).map((one) => one.text)).toEqual([
    'Line 6: wrong',
    'Line 7: wrong',
    'all',
  ]);
});

const info = (text: string): Message => ({ severity: 'Info', text });
const wrong = (name: string): Message => ({ severity: 'Error', text: 'no', attribute: { name, value: '' } });
const route = 'route: 192.0.2.0/24\norigin: AS64500\n';
const unchecked = {
  severity: 'Info',
  text: 'ROAs are not checked here',
  attribute: { name: 'origin', value: 'AS64500' },
};

test.each<[string, string, Message[], boolean]>([
  ['a route', route, [], true],
  ['a route6', 'route6: 2001:db8::/32\norigin: AS64500\n', [info('other')], true],
  ['a route with another error', route, [wrong('mnt-by')], true],
  ['a route that is checked', route, [info('ROA valid: AS64500 may originate this prefix')], false],
  ['a route without a ROA', route, [info('No ROA covers this prefix')], false],
  ['a route without an origin', 'route: 192.0.2.0/24\n', [], false],
  ['a route without a prefix', 'route:\norigin: AS64500\n', [], false],
  ['a wrong prefix', route, [wrong('route')], false],
  ['a wrong origin', route, [wrong('origin')], false],
  ['another object', 'route-set: RS-X\n', [], false],
])('%s: says that ROAs are not checked, or does not', (_what, text, messages, says) => {
  expect(withRoaState(messages, draftOfText(text) as Draft)).toEqual(says ? [...messages, unchecked] : messages);
});
