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

async function read(text: string, size = 7): Promise<Nrtm3Item[]> {
  async function* pieces(): AsyncGenerator<string> {
    for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
  }
  const items: Nrtm3Item[] = [];
  for await (const item of readNrtm3Answer(pieces())) items.push(item);
  return items;
}

test.each([
  ['EXAMPLE:3:1-LAST', { source: 'EXAMPLE', version: 3, first: 1 }],
  ['example:3:101-last', { source: 'EXAMPLE', version: 3, first: 101 }],
  ['EXAMPLE-GRS:3:1-20', { source: 'EXAMPLE-GRS', version: 3, first: 1, last: 20 }],
])('the request %s is read', (text, expected) => {
  expect(parseNrtm3Request(text)).toEqual(expected);
  expect(parseNrtm3Request(writeNrtm3Request(expected).trim().slice(3))).toEqual(expected);
});

test.each([
  ['EXAMPLE:2:1-LAST', 406],
  ['EXAMPLE:1:1-LAST', 406],
  ['EXAMPLE:3:1', 405],
  ['EXAMPLE:3:-1', 405],
  ['EXAMPLE:3:1-NEXT', 405],
  ['EXAMPLE:3:1-9999999999999999', 405],
  [`${'A'.repeat(300)}:3:1-2`, 405],
  ['', 405],
])('the request %s is refused with %i', (text, code) => {
  expect(parseNrtm3Request(text)).toMatchObject({ code });
});

const changes = [
  { action: 'ADD', serial: 101, object: 'route: 192.0.2.0/24\norigin: AS64500\n' },
  { action: 'DEL', serial: 103, object: 'mntner: A-MNT\n' },
] as const;
const start = { source: 'EXAMPLE', first: 101, last: 103 };

test.each([1, 7, 10_000])('what is written is read, in pieces of %i characters', async (size) => {
  const answer = `% Terms\n\n${writeNrtm3Start(start)}${changes.map(writeNrtm3Change).join('')}${writeNrtm3End('EXAMPLE')}\n\n`;
  expect(await read(answer, size)).toEqual([
    { kind: 'start', start },
    ...changes.map((change) => ({ kind: 'change', change })),
    { kind: 'end' },
  ]);
  expect(await read(answer.replaceAll('\n', '\r\n'), size)).toHaveLength(4);
});

test.each([
  ['% Warning: there are no newer updates available\n', { kind: 'current' }],
  [
    '%ERROR:401: invalid range: Not within 1-5\n',
    { kind: 'refused', code: 401, text: 'invalid range: Not within 1-5' },
  ],
  [writeNrtm3Refusal({ code: 403, text: 'unknown source' }), { kind: 'refused', code: 403, text: 'unknown source' }],
  ['%% ERROR: Serials 1 - 101 do not exist\n', { kind: 'refused', text: 'Serials 1 - 101 do not exist' }],
])('the answer %j is no change', async (text, item) => {
  expect(await read(text)).toEqual([item]);
});

test.each([
  ['a cut answer', writeNrtm3Start(start) + writeNrtm3Change(changes[0]), 'cut off'],
  ['an answer cut inside an object', `${writeNrtm3Start(start)}ADD 101\n\nroute: 192.0.2.0/24\n`, 'cut off'],
  ['a change without object', 'ADD 101\n\n%END EXAMPLE\n', 'no object'],
  ['another protocol', 'HTTP/1.1 200 OK\n\n', 'neither'],
  ['nothing', '', 'cut off'],
  ['an endless object', `ADD 1\n\n${'remarks: a line of text\n'.repeat(300_000)}`, 'longer'],
  ['an endless line', `ADD 1\n\n${'a'.repeat(6_000_000)}`, 'longer'],
])('%s is a fault', async (_, text, fault) => {
  await expect(read(text, 60_000)).rejects.toThrow(fault);
});
