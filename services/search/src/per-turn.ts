import { type Batched, type BatcherOptions, createBatcher, isUnavailable } from '@cadastre/service';

interface Options<Q, A> extends Pick<BatcherOptions<Q, A>, 'size' | 'bytes' | 'bytesOf' | 'callsInFlight'> {
  /** Returns one answer for each question, in their order. The signal is aborted when nobody waits for any of them. */
  answer(questions: readonly Q[], signal: AbortSignal): Promise<readonly A[]>;
}

/**
 * Answers the questions of one event-loop turn together. When that fails for several questions, each is asked again
 * alone, so that none fails because of another.
 */
export function perTurn<Q, A>({ answer, ...bounds }: Options<Q, A>): Batched<Q, A> {
  const alone = async (question: Q, signal: AbortSignal) => {
    try {
      const [one] = await answer([question], signal);
      return { answer: one! };
    } catch (error) {
      return { error: error as Error };
    }
  };
  return createBatcher<Q, A>({
    ...bounds,
    deadlineMs: Number.POSITIVE_INFINITY,
    async send(questions, { signal }) {
      try {
        return (await answer(questions, signal)).map((one) => ({ answer: one }));
      } catch (error) {
        if (questions.length === 1 || signal.aborted || isUnavailable(error)) throw error;
        return Promise.all(questions.map((question) => alone(question, signal)));
      }
    },
  });
}
