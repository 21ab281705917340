import { isUnavailable } from '@cadastre/service';

interface Waiting<Q, A> {
  readonly question: Q;
  readonly resolve: (answer: A) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Answers the questions of one event-loop turn together. `answer` returns one answer for each question, in their order.
 * When it fails for several questions, each is asked again alone, so that none fails because of another.
 */
export function perTurn<Q, A>(answer: (questions: readonly Q[]) => Promise<readonly A[]>): (question: Q) => Promise<A> {
  let waiting: Waiting<Q, A>[] = [];
  const answerAll = async (asked: readonly Waiting<Q, A>[]): Promise<void> => {
    try {
      const answers = await answer(asked.map(({ question }) => question));
      for (const [at, { resolve }] of asked.entries()) resolve(answers[at]!);
    } catch (error) {
      if (asked.length === 1 || isUnavailable(error)) for (const { reject } of asked) reject(error);
      else await Promise.all(asked.map((one) => answerAll([one])));
    }
  };
  const flush = () => {
    const asked = waiting;
    waiting = [];
    void answerAll(asked);
  };
  return (question) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(flush);
      waiting.push({ question, resolve, reject });
    });
}
