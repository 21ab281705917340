import { threadId } from 'node:worker_threads';
import { afterAll, expect, test } from 'vitest';
import { createTextTasks, smallCharacters } from '../src/index.js';
import { failWith, threadOf } from './text-tasks.fixture.js';

const tasks = new URL('./text-tasks.fixture.js', import.meta.url);
const texts = createTextTasks({ failWith, threadOf }, { tasks, deadlineMs: 30_000 });
afterAll(() => texts.close());

const textOf = (characters: number) => 'a'.repeat(characters);
const asker = { client: 'a', gone: () => new AbortController().signal };

test.each([
  ['small', smallCharacters, undefined, true],
  ['large', smallCharacters + 1, undefined, false],
  ['large, for a client', smallCharacters + 1, asker, false],
])('a %s text is handled where its size belongs, and an error is thrown', async (_, characters, by, isHere) => {
  const text = textOf(characters);
  expect((await texts.run('threadOf', characters, [text], by)) === threadId).toBe(isHere);
  await expect(texts.run('failWith', characters, [text], by)).rejects.toThrow('aaaaaaaaaa');
});

test('a client that has left gives up its turn', async () => {
  const gone = () => AbortSignal.abort(new Error('left'));
  const large = smallCharacters + 1;
  await expect(texts.run('threadOf', large, [textOf(large)], { client: 'a', gone })).rejects.toThrow('left');
});
