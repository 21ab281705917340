import pLimit, { type LimitFunction } from 'p-limit';

/** Runs jobs of the same name one after the other. */
export type InTurn = <T>(name: string, job: () => Promise<T>) => Promise<T>;

/** Makes the queues of a process, one for each name. */
export function createNamedQueues(): InTurn {
  const queues = new Map<string, LimitFunction>();
  return (name, job) => {
    const queue = queues.get(name) ?? pLimit(1);
    queues.set(name, queue);
    return queue(job);
  };
}
