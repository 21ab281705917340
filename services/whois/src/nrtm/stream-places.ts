/** Bounds the streams of changes: each holds a page of changes until its client has read it. */
export interface StreamPlaces {
  /** Takes a place until the returned function is called. Else tells why there is none: the client has one (`second`). */
  take(client: string): (() => void) | 'full' | 'second';
}

/** Pages of 1 MiB of text, which is held about three times. */
const maxStreams = 32;

/** Makes the places of a process. */
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
