/** Runs jobs of the same name one after the other. */
export type InTurn = <T>(name: string, job: () => Promise<T>) => Promise<T>;

export function createTurns(): InTurn {
  const last = new Map<string, Promise<unknown>>();
  return async (name, job) => {
    const mine = (last.get(name) ?? Promise.resolve()).then(job, job);
    last.set(name, mine);
    try {
      return await mine;
    } finally {
      if (last.get(name) === mine) last.delete(name);
    }
  };
}
