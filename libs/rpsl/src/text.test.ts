import { describe, expect, test } from 'vitest';
import { formatMessage } from './message.js';
import { parseObject } from './text.js';

function read(text: string, expandShortNames = false) {
  const result = parseObject(text, { expandShortNames });
  return result.ok ? result.object : formatMessage(result.messages[0]!);
}

describe('attributes', () => {
  test.each([
    ['mntner: A', [['mntner', ' A']]],
    ['mntner:A\n', [['mntner', 'A']]],
    ['\n \nmntner: A\n\n\n', [['mntner', ' A']]],
    [
      'MNTNER: A\nSource:TEST # x',
      [
        ['mntner', ' A'],
        ['source', 'TEST # x'],
      ],
    ],
    [
      'mntner: A\n b\n\tc\n+d\n+\nsource: T',
      [
        ['mntner', ' A\n b\n\tc\n+d\n+'],
        ['source', ' T'],
      ],
    ],
    [
      'mntner: A\n   \nsource: T',
      [
        ['mntner', ' A\n   '],
        ['source', ' T'],
      ],
    ],
    [
      'mntner: A\r\n b\r\nsource: T\r\n',
      [
        ['mntner', ' A\r\n b\r'],
        ['source', ' T'],
      ],
    ],
    ['mntner: a:b:c', [['mntner', ' a:b:c']]],
    [
      'mntner:\nsource:',
      [
        ['mntner', ''],
        ['source', ''],
      ],
    ],
    [
      'mntner: A\nmnt-by : B',
      [
        ['mntner', ' A'],
        ['mnt-by ', ' B'],
      ],
    ],
    [
      'mntner: A\n: B',
      [
        ['mntner', ' A'],
        ['', ' B'],
      ],
    ],
    [
      'mntner: A\n# remark: x',
      [
        ['mntner', ' A'],
        ['# remark', ' x'],
      ],
    ],
  ])('of %j', (text, attributes) => {
    expect(read(text)).toEqual({ type: 'mntner', attributes: attributes.map(([name, raw]) => ({ name, raw })) });
  });
});

test.each([
  ['', 'Object is empty'],
  ['\n\n', 'Object is empty'],
  ['mntner', 'No key found'],
  ['mntner: A\nsource', 'No key found'],
  ['mntner: A\n\nsource: TEST', 'No key found'],
  ['mntner: A\r\n\r\nsource: TEST', 'No key found'],
  [': A', 'Read zero sized key'],
  ['foo: A', 'Invalid object type: foo'],
  ['nic-hdl: JD1-TEST', 'Invalid object type: nic-hdl'],
  [' mntner: A', 'Invalid object type:  mntner'],
  ['mntner : A', 'Invalid object type: mntner '],
])('%j is refused', (text, message) => {
  expect(read(text)).toBe(message);
});

test.each(['mt: A\nmb: B', '*mt: A\n*MB: B'])('short names are replaced on request, with one warning: %j', (text) => {
  const result = parseObject(text, { expandShortNames: true });
  expect(result).toMatchObject({
    ok: true,
    object: { type: 'mntner', attributes: [{ name: 'mntner' }, { name: 'mnt-by' }] },
    warnings: [{ severity: 'warning', text: 'Short format attribute name(s) have been replaced.' }],
  });
});

test('short names stay by default', () => {
  expect(read('mt: A\n*mb: B')).toMatchObject({ type: 'mntner', attributes: [{ name: 'mt' }, { name: '*mb' }] });
});

test('long names cause no warning', () => {
  expect(parseObject('Mntner: A', { expandShortNames: true })).toMatchObject({ ok: true, warnings: [] });
});
