import { expect, test } from 'vitest';
import { error, firstMessages, formatMessage, info, sortMessages, warning } from './message.js';
import { messages } from './messages.js';

const place = (index?: number) => ({
  attribute: { name: 'descr', raw: ' x # y' },
  ...(index !== undefined && { index }),
});

test.each([
  ['Mandatory attribute "%s" is missing', ['source'], 'Mandatory attribute "source" is missing'],
  ['%d of %d', ['1', '2'], '1 of 2'],
  ['100%% of %s', ['it'], '100% of it'],
  ['%s and %s', ['one'], 'one and %s'],
  ['%s', ['%s'], '%s'],
])('arguments fill the placeholders of %j in order', (text, args, expected) => {
  expect(formatMessage({ text, args })).toBe(expected);
});

test('messages are ordered by severity, then whole object before attributes, then by position', () => {
  const sorted = sortMessages([
    info('i'),
    warning('w'),
    error('late', [], place(5)),
    error('unplaced', [], place()),
    error('early', [], place(1)),
    error('object'),
  ]);
  expect(sorted.map((m) => m.text)).toEqual(['object', 'early', 'late', 'unplaced', 'w', 'i']);
});

test('a message is shown once, and equal texts about different attributes are not the same message', () => {
  const repeated = [error('e', ['1']), error('e', ['1']), error('e', ['2']), error('e', ['1'], place(0))];
  expect(sortMessages(repeated)).toHaveLength(3);
});

test('a message about an attribute carries its text as printed', () => {
  expect(messages.syntaxError('x', place(3))).toEqual({
    severity: 'error',
    text: 'Syntax error in %s',
    args: ['x'],
    attribute: { name: 'descr', value: '          x # y' },
    attributeIndex: 3,
  });
});

test('a refusal without any maintainer says so and has four arguments', () => {
  const refusal = messages.authorisationFailed('inetnum', '192.0.2.0 - 192.0.2.255', 'mnt-by', []);
  expect(refusal.args).toEqual(['inetnum', '192.0.2.0 - 192.0.2.255', 'mnt-by', '']);
  expect(formatMessage(refusal)).toBe(
    'Authorisation for [inetnum] 192.0.2.0 - 192.0.2.255 failed\nusing "mnt-by:"\nno valid maintainer found\n',
  );
});

test('a refusal names the maintainers who could authorise', () => {
  const refusal = messages.parentAuthorisationFailed('as-set', 'AS-X', 'mnt-lower', ['A-MNT', 'B-MNT']);
  expect(formatMessage(refusal)).toBe(
    'Authorisation for parent [as-set] AS-X failed\nusing "mnt-lower:"\nnot authenticated by: A-MNT, B-MNT',
  );
});

test('long values are cut', () => {
  const long = 'x'.repeat(2000);
  const { args, attribute } = error('%s', [long], { attribute: { name: 'descr', raw: ` ${long}` } });
  expect(args[0]).toBe(`${'x'.repeat(1000)}...`);
  expect(attribute!.value.trim().length).toBeLessThanOrEqual(1003);
});

test.each([
  ['a hundred', 100, 'x', 100],
  ['more', 150, 'x', 101],
  ['fewer long ones', 90, 'x'.repeat(1000), 50],
])('a reply has %s, and the number of the rest', (_what, count, text, expected) => {
  const given = Array.from({ length: count }, (_, n) => error('%s', [`${text}${n}`]));
  const said = firstMessages(given);
  expect(said).toHaveLength(expected);
  if (expected !== count) {
    expect(formatMessage(said.at(-1)!)).toBe(`${count - expected + 1} further messages are left out`);
  }
});
