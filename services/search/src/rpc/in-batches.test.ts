import { expect, test } from 'vitest';
import { inBatches } from './in-batches.js';

async function* numbers(count = Number.POSITIVE_INFINITY, pulled = { count: 0 }) {
  for (let n = 0; n < count; n++) {
    pulled.count++;
    yield n;
  }
}

test('answers come in the order of the questions, in batches of at most 500', async () => {
  const sizes: number[] = [];
  const answers: number[] = [];
  const doubled = inBatches(numbers(1800), async (batch) => {
    sizes.push(batch.length);
    return batch.map((n) => 2 * n);
  });
  for await (const answer of doubled) answers.push(answer);
  expect(answers).toEqual(Array.from({ length: 1800 }, (_, n) => 2 * n));
  expect(Math.max(...sizes)).toBeLessThanOrEqual(500);
});

test('questions that arrive while a batch is answered form the next batch', async () => {
  const pulled = { count: 0 };
  const sizes: number[] = [];
  const answering = inBatches(numbers(400, pulled), async (batch) => {
    sizes.push(batch.length);
    while (pulled.count < 400) await new Promise(setImmediate);
    return batch;
  });
  for await (const _ of answering);
  expect(sizes.length).toBeLessThanOrEqual(3);
});

test('a question is answered before the next one arrives', async () => {
  const answered: string[] = [];
  let ask = Promise.withResolvers<string | undefined>();
  async function* dialogue() {
    for (;;) {
      const question = await ask.promise;
      if (question === undefined) return;
      ask = Promise.withResolvers();
      yield question;
    }
  }
  ask.resolve('first');
  for await (const answer of inBatches(dialogue(), async (batch) => batch)) {
    answered.push(answer);
    ask.resolve(answer === 'first' ? 'second' : undefined);
  }
  expect(answered).toEqual(['first', 'second']);
});

test('a client that reads no answers stops the reading of questions', async () => {
  const pulled = { count: 0 };
  const answers = inBatches(numbers(undefined, pulled), async (batch) => batch);
  for (let n = 0; n < 3; n++) await answers.next();
  let before: number;
  do {
    before = pulled.count;
    await new Promise(setImmediate);
  } while (pulled.count > before);
  expect(pulled.count).toBeLessThanOrEqual(1100);
  await answers.return(undefined);
});

test('a failure on either side ends the answers', async () => {
  async function* failing() {
    yield 1;
    throw new Error('no more questions');
  }
  const all = async (answers: AsyncIterable<number>) => {
    for await (const _ of answers);
  };
  await expect(all(inBatches(failing(), async (batch) => batch))).rejects.toThrow('no more questions');
  const broken = inBatches<number, number>(numbers(), async () => Promise.reject(new Error('no answers')));
  await expect(all(broken)).rejects.toThrow('no answers');
});
