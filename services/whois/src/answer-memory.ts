import { ServiceError } from '@cadastre/service';

/** Memory that large answers may use together, until their clients have read them. */
export interface AnswerMemory {
  /** Takes bytes until the returned function is called. Throws a ServiceError (unavailable) when too many are in use. */
  take(bytes: number): () => void;
}

/** What all large answers may hold until they are read: 40 of the largest set that is known. */
const mostBytes = 300 * 1024 * 1024;

/** Makes the account of a process. */
export function createAnswerMemory(): AnswerMemory {
  let used = 0;
  return {
    take(bytes) {
      if (used + bytes > mostBytes) {
        throw new ServiceError('unavailable', 'Too many large answers wait for their clients');
      }
      used += bytes;
      return () => {
        used -= bytes;
      };
    },
  };
}
