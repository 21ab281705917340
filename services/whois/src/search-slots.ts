import { type LimitedClient, networksOf, unlimited } from '@cadastre/limits';
import { createConnectionBounds } from '@cadastre/service';

/** Bounds the searches of all clients together: each holds a page, of 1 MiB at most, until its client has read it. */
export type SearchSlots = ReturnType<typeof createSearchSlots>;

/** The slot of one search. */
export interface SearchSlot {
  /** The client has read so much of it. */
  noteRead(bytes: number): void;
  leave(): void;
}

/** As many as a gateway has. */
const maxSearches = 200;

/** Makes the slots of a process. */
export function createSearchSlots() {
  const slots = createConnectionBounds({
    perClient: Number.POSITIVE_INFINITY,
    networksOf: (address) => (address === undefined ? undefined : networksOf(address)),
    onEvicted() {},
  }).port(maxSearches);
  return {
    /**
     * Takes a slot; undefined when there is none. When all are taken, gives up the idlest search of the network with the
     * most, as a full port does with connections; unless the network of the client has as many.
     */
    take({ name, limits }: LimitedClient, giveUp: () => void): SearchSlot | undefined {
      const remoteAddress = limits === unlimited ? undefined : name;
      const search = { remoteAddress, bytesRead: 0, bytesWritten: 0, destroy: giveUp };
      const leave = slots.admit(search);
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
