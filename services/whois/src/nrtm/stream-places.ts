/** Bounds the streams of changes: each holds a page of changes until its client has read it. */
export interface StreamPlaces {
  /** Takes a place until the returned function is called; undefined when the client has one, or all are taken. */
  take(client: string): (() => void) | undefined;
}

/** Pages of 1 MiB of text, which is held about three times. */
const mostStreams = 32;

/** Makes the places of a process. */
export function createStreamPlaces(most = mostStreams): StreamPlaces {
  const taken = new Set<string>();
  return {
    take(client) {
      if (taken.size >= most || taken.has(client)) return undefined;
      taken.add(client);
      return () => void taken.delete(client);
    },
  };
}
