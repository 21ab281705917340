import { expect, it } from 'vitest';
import { type MessageBody, messagesOf, messageText } from './messages.js';

it.each([
  ["Invalid source '%s'", ['X'], "Invalid source 'X'"],
  ['%s of %d, 100%%', ['1', '2'], '1 of 2, 100%'],
  ['%s and %s', ['a'], 'a and %s'],
  ['%s', ['%s'], '%s'],
  ['plain', [], 'plain'],
])('fills the arguments into "%s"', (text, values, expected) => {
  const args = values.map((value) => ({ value }));
  expect(messageText({ severity: 'Error', text, args })).toBe(expected);
});

it.each<[string, MessageBody, string[]]>([
  ['nothing', undefined, []],
  ['an empty answer', '', []],
  ['a success', {}, []],
  ['a text', 'ipkey is 100% required', ['ipkey is 100% required']],
  ['an abuse contact that was not found', { message: 'No contact' }, ['No contact']],
  [
    'a text with messages',
    'Severity: Error\nText: 100% wrong\non two lines\nSeverity: Info\nText: more\nlocator: https://example.net/terms',
    ['100% wrong\non two lines', 'more'],
  ],
  [
    'a text about a missing object',
    'https://example.net/TEST/person/X\nSeverity: Error\nText: ERROR:101: no entries found\n\nNo entries found in source %s.\n[TEST]\nhttps://example.net/terms\n',
    ['ERROR:101: no entries found\n\nNo entries found in source TEST.\n'],
  ],
  ['messages', { errormessages: { errormessage: [{ severity: 'Info', text: '%s', args: [{ value: 'x' }] }] } }, ['x']],
])('lists the messages of %s', (_what, document, expected) => {
  expect(messagesOf(document).map(messageText)).toEqual(expected);
});

it('keeps the severity of the messages of a text', () => {
  const text = 'Severity: Warning\nText: a\nSeverity: Info\nText: b\n';
  expect(messagesOf(text).map(({ severity }) => severity)).toEqual(['Warning', 'Info']);
});
