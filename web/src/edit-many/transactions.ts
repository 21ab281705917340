import { type BatchAnswer, type BatchResult, maxObjects } from '../api/batch.js';
import type { Message } from '../api/message.js';
import { messagesOf } from '../api/registry.js';
import { amount } from '../design/format.js';

/** Maximum objects of a change that is written in several transactions. */
export const maxTogether = 10 * maxObjects;

/** The transactions that write some objects, in their order. */
export function transactionsOf<T>(objects: readonly T[]): (readonly T[])[] {
  const count = Math.ceil(objects.length / maxObjects);
  return Array.from({ length: count }, (_, at) => objects.slice(at * maxObjects, (at + 1) * maxObjects));
}

/** Performs the dry runs of transactions: the results of all objects, or the first refusal of a whole request. */
export async function tryAll<T>(
  transactions: readonly (readonly T[])[],
  perform: (objects: readonly T[]) => Promise<BatchAnswer>,
): Promise<BatchAnswer> {
  const answers: BatchAnswer[] = [];
  for (const objects of transactions) {
    const answer = await perform(objects);
    if (answer.results.length === 0) return answer;
    answers.push(answer);
  }
  return {
    status: answers.find(({ status }) => status !== 200)?.status ?? 200,
    messages: answers.flatMap(({ messages }) => messages),
    results: answers.flatMap(({ results }) => results),
  };
}

/**
 * Performs transactions one after the other. A refused one does not keep back those after it; one without an answer
 * does, because they would have none, either. Returns the stored objects, their results, and why the others are not
 * stored.
 */
export async function performAll<T>(
  transactions: readonly (readonly T[])[],
  perform: (objects: readonly T[], at: number) => Promise<BatchAnswer>,
) {
  const stored: T[] = [];
  const results: BatchResult[] = [];
  const why: Message[] = [];
  for (const [at, objects] of transactions.entries()) {
    const isOnly = transactions.length === 1;
    const name = `Transaction ${at + 1} of ${transactions.length}`;
    const answer = await perform(objects, at).catch((error: unknown) => ({ error }));
    if ('error' in answer) {
      const left = transactions.slice(at + 1).flat().length;
      const untried = left > 0 ? `; the ${amount(left, 'object')} after it are not tried` : '';
      if (!isOnly) why.push(failure(`${name} failed${untried}.`));
      why.push(...messagesOf(answer.error));
      break;
    }
    if (answer.status === 200) {
      stored.push(...objects);
      results.push(...answer.results);
    } else {
      const what = isOnly
        ? 'Nothing is saved'
        : `${name} was refused: none of its ${amount(objects.length, 'object')} is saved`;
      why.push(...answer.messages, failure(`${what}. See below what the registry refuses.`));
    }
  }
  return { stored, results, why };
}

function failure(text: string): Message {
  return { severity: 'Error', text };
}
