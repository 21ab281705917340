import { formatMessage } from '@cadastre/service';
import { Refusal } from '../errors.js';

/** Status and sentences of the refusal that a function throws. */
export function refusedBy(attempt: () => unknown): { status: number; texts: string[] } {
  try {
    attempt();
  } catch (error) {
    if (error instanceof Refusal) return { status: error.status, texts: error.messages.map(formatMessage) };
    throw error;
  }
  throw new Error('nothing was refused');
}
