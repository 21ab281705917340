import type { LimitedClient } from '@cadastre/limits';
import type { FoundObject, SearchResponse } from '@cadastre/proto/search';
import { createLoopTurns, failureMessage, smallCharacters } from '@cadastre/service';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { plainFound, renderObjects } from '../documents/render.js';
import type { Format } from '../documents/whois-resources.js';
import { HttpError } from '../errors.js';
import { createRenderer } from './renderer.js';

const newRenderer = (charge = vi.fn()) => createRenderer({ charge }, createLoopTurns({ everyOwner: true }).next);
const renderer = newRenderer();

afterAll(() => renderer.close());

const clientNamed = (id: string) => ({ id }) as LimitedClient;
const stays = { client: clientNamed('a'), gone: () => new AbortController().signal };
const view = { base: 'https://registry.example.net', unformatted: false };
const tail = { terms: 'https://registry.example.net/terms' };

function person(handle: string, characters: number): FoundObject {
  const remarks = 'remarks:        more <text> & "quotes"\n'.repeat(Math.ceil(characters / 39));
  const text = `person:         Example Person\nnic-hdl:        ${handle}\nmnt-by:         EXAMPLE-MNT\n${remarks}source:         TEST\n`;
  return plainFound({
    ...{ source: 'TEST', type: 'person', key: handle, text, revision: 1, serial: 1n, contacts: [], tags: [] },
    lastModified: new Date(0),
  });
}

const [few, many] = [100, 2 * smallCharacters];
const sizes: [string, number[]][] = [
  ['no object', []],
  ['small ones', [few, few, few]],
  ['a large one', [many]],
  ['small ones around a large one', [few, many, few, few]],
  ['many small ones that are large together', Array.from({ length: 500 }, () => few)],
];
const formats: Format[] = ['xml', 'json', 'text'];
const cases = formats.flatMap((format) => sizes.map(([what, lengths]) => ({ format, what, lengths })));

test.each(cases)('$format: $what look the same on every thread', async ({ format, lengths }) => {
  const objects = lengths.map((length, at) => person(`P${at}-TEST`, length));
  const whole = { format, head: { listsObjects: true }, objects, view, tail };
  const expected = renderObjects(whole);
  expect((await renderer.document(whole, stays)).toString()).toBe(expected);
  const pieces: string[] = [];
  const document = { ...whole, messagesOf: () => [] };
  for await (const piece of renderer.search(document, pagesOf(objects), stays)) pieces.push(String(piece));
  expect(pieces.join('')).toBe(expected);
});

/** The objects in two pages. */
async function* pagesOf(objects: readonly FoundObject[]): AsyncGenerator<SearchResponse> {
  const page = (some: readonly FoundObject[]) => ({ objects: [...some], flags: [], messages: [], serial: 1n });
  yield page(objects.slice(0, 2));
  yield page(objects.slice(2));
}

test('an error of a search becomes messages after the objects', async () => {
  async function* pages(): AsyncGenerator<SearchResponse> {
    yield* pagesOf([person('P1-TEST', many)]);
    throw new Error('it broke');
  }
  const messagesOf = () => [failureMessage('The search aborted')];
  const document = { format: 'json' as const, head: { listsObjects: true }, view, tail, messagesOf };
  const pieces: string[] = [];
  for await (const piece of renderer.search(document, pages(), stays)) pieces.push(String(piece));
  const { objects, errormessages } = JSON.parse(pieces.join(''));
  expect(objects.object).toHaveLength(1);
  expect(errormessages.errormessage[0].text).toBe('The search aborted');
});

test('a client with many large documents waits for its own turn, and is charged; one that disconnects releases its turn', async () => {
  const charge = vi.fn();
  // Clients take turns by the recent costs of their renderer, so this one starts without those of other tests.
  const own = newRenderer(charge);
  onTestFinished(() => own.close());
  const ended: string[] = [];
  const large = { format: 'xml' as const, head: {}, objects: [person('P1-TEST', 2 * many)], view, tail };
  const leaves = new AbortController();
  const ask = async (name: string, gone = stays.gone) => {
    await own.document(large, { client: clientNamed(name), gone });
    ended.push(name);
  };
  const greedy = Array.from({ length: 6 }, () => ask('greedy'));
  const left = ask('left', () => leaves.signal);
  const modest = ask('modest');
  leaves.abort(new Error('left'));
  await expect(left).rejects.toBeInstanceOf(HttpError);
  await Promise.all([...greedy, modest]);
  // The running one, and one more whose turn has come.
  expect(ended.indexOf('modest')).toBeLessThanOrEqual(2);
  expect(charge.mock.calls.map(([client, limit]) => `${client.id} ${limit}`).sort()).toEqual([
    ...Array.from({ length: 6 }, () => 'greedy processing'),
    'modest processing',
  ]);
});
