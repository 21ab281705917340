import { type ObjectTypeName, splitDump } from '@cadastre/rpsl';
import { expect, test } from 'vitest';
import { followsClass, followsText, objectsOfClasses } from './classes.js';

const routing = new Set<ObjectTypeName>(['route', 'as-set']);

async function* inChunks(bytes: Buffer, length: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

async function filtered(text: string, length: number, classes = routing): Promise<Buffer[]> {
  const pieces: Buffer[] = [];
  for await (const piece of objectsOfClasses(inChunks(Buffer.from(text, 'latin1'), length), classes)) {
    pieces.push(Buffer.from(piece));
  }
  return pieces;
}

/** The objects that a load finds in the filtered text. */
async function objectsIn(text: string, length: number): Promise<string[]> {
  const all = Buffer.concat(await filtered(text, length)).toString('latin1');
  const found: string[] = [];
  for await (const { text: object } of splitDump(inText(all))) found.push(object);
  return found;
}

async function* inText(text: string): AsyncGenerator<string> {
  yield text;
}

const route = 'route: 192.0.2.0/24\ndescr: Größe\norigin: AS64500\nsource: EXAMPLE\n';
const person = 'person: Alice Example\nremarks: route: 192.0.2.0/24\nnic-hdl: AE1-EXAMPLE\nsource: EXAMPLE\n';
const set = 'as-set: AS-EXAMPLE\nmembers: AS64500,\n+\n AS64501\nsource: EXAMPLE\n';
const windows = (text: string) => text.replaceAll('\n', '\r\n');

const dumps: [string, string, string[]][] = [
  ['objects apart', `${route}\n${person}\n${set}`, [route, set]],
  ['terms before, comments between and inside', `# route: x\n\n% as-set: y\n${person}# z\n\n${route}`, [route]],
  ['several empty lines', `\n\n${person}\n\n\n${set}\n\n`, [set]],
  ['no line end at the end', `${person}\n${set}`.trimEnd(), [set.trimEnd()]],
  ['only the beginning of a line at the end', `${person}\nroute: 192.0.2.0/24`, ['route: 192.0.2.0/24']],
  ['CRLF', windows(`${person}\n${route}\n${person}`), [windows(route)]],
  [
    'short and capital names',
    `*rt: 192.0.2.0/24\n\nAS-Set: AS-EXAMPLE\n\n*pn: A\n`,
    ['*rt: 192.0.2.0/24\n', 'AS-Set: AS-EXAMPLE\n'],
  ],
  ['lines that are no attributes', `route\n\nnonsense\n\n${route}`, [route]],
  ['a line that is longer than a chunk', `person: ${'x'.repeat(500)}\nroute: y\n\n${route}`, [route]],
  ['what IRRd has deleted in place', `*xxte: 192.0.2.0/24\norigin: AS64500\n\n${route}`, [route]],
  ['nothing', '', []],
];

test.each(dumps)('keeps the objects of the classes: %s', async (_, text, objects) => {
  for (const length of [1, 2, 3, 7, 64, 65, 1_000]) {
    const found = await objectsIn(text, length);
    expect(found.map((object) => object.trimEnd())).toEqual(objects.map((object) => object.trimEnd()));
  }
});

test('an object without an end, and a line without an end, hold no more than a chunk', async () => {
  const size = 64 << 10;
  for (const text of ['person: x\n'.repeat(200_000), `person: ${'x'.repeat(2_000_000)}`]) {
    expect(await filtered(text, size)).toEqual([]);
  }
  const pieces = await filtered(`route: ${'x'.repeat(2_000_000)}`, size);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(size + 64);
});

test('a chunk gives at most one piece, so that small objects are no messages of their own', async () => {
  const pieces = await filtered(`${person}\n${route}\n`.repeat(1_000), 64 << 10);
  expect(pieces.length).toBeLessThanOrEqual(Math.ceil(((person.length + route.length + 2) * 1_000) / (64 << 10)));
});

test.each([
  ['route', true],
  ['ROUTE', true],
  ['*rt', true],
  ['rt', true],
  ['route6', false],
  ['poem', false],
  ['', false],
  ['constructor', false],
])('follows the class %o: %o', (name, expected) => {
  expect(followsClass(routing, name)).toBe(expected);
  expect(followsClass(undefined, name)).toBe(true);
});

test.each([
  [route, true],
  [`# a comment\n\n${set}`, true],
  [person, false],
  ['', false],
  ['route', false],
  [`${'x'.repeat(1_000)}: y`, false],
])('follows the text %j: %o', (text, expected) => {
  expect(followsText(routing, text)).toBe(expected);
  expect(followsText(undefined, text)).toBe(true);
});
