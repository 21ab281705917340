import { type LimitedClient, networksOf, unlimited } from '@cadastre/limits';
import { createConnectionBounds } from '@cadastre/service';

/** Bounds the searches of all clients together: each holds a page, of 1 MiB at most, until its client has read it. */
export interface SearchPlaces {
  /**
   * Takes a place; undefined when there is none. When all are taken, gives up the idlest search of the network with the
   * most, as a full port does with connections; unless the network of the client has as many.
   */
  take(client: LimitedClient, giveUp: () => void): SearchPlace | undefined;
}

/** The place of one search. */
export interface SearchPlace {
  /** The client has read so much of it. */
  noteRead(bytes: number): void;
  leave(): void;
}

/** As many as a gateway has. */
const maxSearches = 200;

/** Makes the places of a process. */
export function createSearchPlaces(): SearchPlaces {
  const places = createConnectionBounds({
    perClient: Number.POSITIVE_INFINITY,
    networksOf: (address) => (address === undefined ? undefined : networksOf(address)),
    onEvicted() {},
  }).port(maxSearches);
  return {
    take({ name, limits }, giveUp) {
      const remoteAddress = limits === unlimited ? undefined : name;
      const search = { remoteAddress, bytesRead: 0, bytesWritten: 0, destroy: giveUp };
      const leave = places.admit(search);
      if (typeof leave === 'string') return undefined;
      return {
        noteRead(bytes) {
          search.bytesRead += bytes;
        },
        leave,
      };
    },
  };
}
