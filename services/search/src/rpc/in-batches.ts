import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

const batchSize = 500;

/**
 * Answers a stream of questions in order, in batches. A batch ends at 500 questions or when a turn of the event loop
 * brings no further one, so that no answer waits for later questions. Reads about two batches ahead of the reader.
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
    do {
      while (batch.length < batchSize && arriving.readableLength > 0) batch.push(arriving.read());
      await nextTurn();
    } while (batch.length < batchSize && arriving.readableLength > 0);
    yield batch;
  }
}
