/** Bounds the streams of changes: each holds a page of changes until its client has read it. */
export interface StreamPlaces {
  /**
   * Takes a slot until the returned function is called. Otherwise returns why there is none: the client has one
   * (`second`), or all are in use (`full`).
   */
  take(client: string): (() => void) | 'full' | 'second';
}

/** Each holds a page of 1 MiB of text about three times in memory. */
const maxStreams = 32;

/** Makes the slots of a process. */
export function createStreamPlaces(): StreamPlaces {
  const taken = new Set<string>();
  return {
    take(client) {
      if (taken.has(client)) return 'second';
      if (taken.size >= maxStreams) return 'full';
      taken.add(client);
      return () => void taken.delete(client);
    },
  };
}
