import { expect, test } from 'vitest';
import {
  type Nrtm3Item,
  parseNrtm3Request,
  readNrtm3Answer,
  writeNrtm3Change,
  writeNrtm3End,
  writeNrtm3Refusal,
  writeNrtm3Request,
  writeNrtm3Start,
} from './nrtm3.js';

test.each([
  ['EXAMPLE:3:101-LAST', { source: 'EXAMPLE', version: 3, first: 101 }],
  ['example:3:101-last', { source: 'EXAMPLE', version: 3, first: 101 }],
  ['EXAMPLE-NONAUTH:1:1-20', { source: 'EXAMPLE-NONAUTH', version: 1, first: 1, last: 20 }],
  ['EXAMPLE:2:1-LAST', { code: 406 }],
  ['EXAMPLE:4:1-LAST', { code: 406 }],
  ['EXAMPLE:3:1', { code: 405 }],
  ['EXAMPLE:3:-1-LAST', { code: 405 }],
  ['EXAMPLE:3:1-FIRST', { code: 405 }],
  ['EXAMPLE:3', { code: 405 }],
  ['', { code: 405 }],
  ['EXAMPLE:3:1000000000000000-LAST', { code: 405 }],
  [`${'E'.repeat(1_000)}:3:1-LAST`, { code: 405 }],
])('the request "%s"', (text, expected) => {
  expect(parseNrtm3Request(text)).toMatchObject(expected);
});

test('what is written can be read', () => {
  const request = { source: 'EXAMPLE', version: 3, first: 7 } as const;
  expect(writeNrtm3Request(request)).toBe('-g EXAMPLE:3:7-LAST\n');
  expect(writeNrtm3Request({ ...request, last: 9 })).toBe('-g EXAMPLE:3:7-9\n');
  expect(writeNrtm3Refusal({ code: 402, text: 'not authorised' })).toBe('%ERROR:402: not authorised\n');
});

const mntner = (name: string) => `mntner:         ${name}\nsource:         EXAMPLE\n`;
const start = '%START Version: 3 EXAMPLE 101-105\n\n';
const change = (action: 'ADD' | 'DEL', serial: number, name: string) =>
  writeNrtm3Change({ action, serial, object: mntner(name) }, 3);

/** The answer in chunks of so many characters. */
async function* inChunks(text: string, length: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += length) yield text.slice(at, at + length);
}

async function read(text: string, length = text.length): Promise<Nrtm3Item[]> {
  const items: Nrtm3Item[] = [];
  for await (const item of readNrtm3Answer(inChunks(text, length))) items.push(item);
  return items;
}

test.each([1, 7, 1_000])('an answer in chunks of %i characters', async (length) => {
  const range = { source: 'EXAMPLE', version: 3, first: 101, last: 105 } as const;
  const text = `% terms\n\n${writeNrtm3Start(range)}${change('ADD', 101, 'A-MNT')}${change('DEL', 104, 'B-MNT')}${writeNrtm3End('EXAMPLE')}\n\n`;
  expect(await read(text, length)).toEqual([
    { kind: 'start', start: range },
    { kind: 'change', change: { action: 'ADD', serial: 101, object: mntner('A-MNT') } },
    { kind: 'change', change: { action: 'DEL', serial: 104, object: mntner('B-MNT') } },
    { kind: 'end' },
  ]);
});

test('version 1 has no serials', () => {
  expect(writeNrtm3Change({ action: 'ADD', serial: 1, object: mntner('A-MNT') }, 1)).toBe(
    `ADD\n\n${mntner('A-MNT')}\n`,
  );
});

test.each([
  ['an answer without changes', `${start}%END EXAMPLE\n`, ['start', 'end']],
  [
    'line ends of CRLF',
    `${start}ADD 101\n\n${mntner('A-MNT')}\n%END EXAMPLE\n`.replaceAll('\n', '\r\n'),
    'start change end'.split(' '),
  ],
  [
    'IRRd: an answer that it has filtered',
    '%START Version: 3 EXAMPLE 101-105 FILTERED\n\n\n%END EXAMPLE\n\n\n',
    ['start', 'end'],
  ],
  ['spaces after %', '% START Version: 3 EXAMPLE 101-105\n\n% END EXAMPLE\n', ['start', 'end']],
  ['IRRd: nothing newer', '% Warning: there are no newer updates available\n\n\n', ['current']],
  ['IRRd: nothing at all', '% Warning: there are no updates available\n\n\n', ['current']],
  ['IRRd 2: nothing newer', '\n% Warning (1): there are no newer updates available\n', ['current']],
  ['IRRd: too old', '%% ERROR: Serials 1 - 101 do not exist\n\n\n', ['refused']],
  ['RIPE: out of range', '% banner\n\n%ERROR:401: invalid range: Not within 1-9\n', ['refused']],
])('%s', async (_name, text, kinds) => {
  expect((await read(text)).map(({ kind }) => kind)).toEqual(kinds);
});

test('a refusal has its code and text', async () => {
  expect(await read('%ERROR:401: invalid range: Not within 1-9\n')).toEqual([
    { kind: 'refused', code: 401, text: 'invalid range: Not within 1-9' },
  ]);
  expect(await read('%% ERROR: Serials 1 - 101 do not exist\n')).toEqual([
    { kind: 'refused', text: 'Serials 1 - 101 do not exist' },
  ]);
});

test.each([
  ['no line at all', '', 'cut off'],
  ['an end in the middle of an object', `${start}ADD 101\n\nmntner: A-MNT\n`, 'cut off'],
  ['an end between two changes', `${start}${change('ADD', 101, 'A-MNT')}`, 'cut off'],
  ['a change before the start', change('ADD', 101, 'A-MNT'), 'before the first line'],
  ['a change below the range', `${start}${change('ADD', 100, 'A-MNT')}`, 'outside of the range 101-105'],
  ['a change above the range', `${start}${change('ADD', 106, 'A-MNT')}`, 'outside of the range 101-105'],
  [
    'the same serial twice',
    start + change('ADD', 102, 'A-MNT') + change('DEL', 102, 'A-MNT'),
    '102 follows the change 102',
  ],
  ['a wrong order', start + change('ADD', 103, 'A-MNT') + change('ADD', 102, 'B-MNT'), '102 follows the change 103'],
  ['two starts', start + start, 'begins twice'],
  ['another version', '%START Version: 1 EXAMPLE 101-105\n\n', 'of version 1'],
  ['an end of another source', `${start}%END OTHER\n`, 'another source'],
  ['an end without a start', '%END EXAMPLE\n', 'before its first line'],
  ['a change without an object', `${start}ADD 101\n\n%END EXAMPLE\n`, 'no object'],
  ['a page of HTML', '<html>\n', 'neither a comment nor a change'],
  ['an endless object', `${start}ADD 101\n\n${`remarks: ${'x'.repeat(1_000)}\n`.repeat(5_000)}`, 'longer than 5000000'],
  ['an endless line', `${start}ADD 101\n\n${'x'.repeat(5_000_002)}`, 'longer than 5000000'],
])('refuses %s', async (_name, text, fault) => {
  await expect(read(text, 65_536)).rejects.toMatchObject({ message: expect.stringContaining(fault) });
});
