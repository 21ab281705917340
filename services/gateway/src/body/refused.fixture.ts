import { formatMessage } from '@cadastre/service';
import { HttpError } from '../errors.js';

/** Status and sentences of the refusal that a function throws. */
export function refusedBy(attempt: () => unknown): { status: number; texts: string[] } {
  try {
    attempt();
  } catch (error) {
    return saidBy(error);
  }
  throw new Error('nothing was refused');
}

/** The same of a promise. */
export async function refusedLater(attempt: Promise<unknown>): Promise<{ status: number; texts: string[] }> {
  const thrown = await attempt.then(
    () => new Error('nothing was refused'),
    (error: unknown) => error,
  );
  return saidBy(thrown);
}

function saidBy(thrown: unknown) {
  if (thrown instanceof HttpError) return { status: thrown.status, texts: thrown.messages.map(formatMessage) };
  throw thrown;
}
