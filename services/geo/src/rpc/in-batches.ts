import { Readable } from 'node:stream';

const batchSize = 500;

/**
 * Answers a stream of questions in their order, many at a time: a batch is what arrived while the one before was being
 * answered, up to 500. No question waits for further ones, and at most two batches are read ahead of who reads the
 * answers.
 */
export async function* inBatches<Q, A>(
  questions: AsyncIterable<Q>,
  answer: (batch: readonly Q[]) => Promise<readonly A[]>,
): AsyncGenerator<A> {
  for await (const batch of batchesOf(questions)) yield* await answer(batch);
}

async function* batchesOf<Q>(questions: AsyncIterable<Q>): AsyncGenerator<Q[]> {
  const arriving = Readable.from(questions, { highWaterMark: batchSize });
  for await (const first of arriving) {
    const batch: Q[] = [first];
    while (batch.length < batchSize && arriving.readableLength > 0) batch.push(arriving.read());
    yield batch;
  }
}
