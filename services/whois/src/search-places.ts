/** Bounds the searches of all clients together: each holds a page, of 1 MiB at most, until its client has read it. */
export interface SearchPlaces {
  /** Reserves a place until `leave`; false when there is none. */
  take(): boolean;
  leave(): void;
}

/** As many as a gateway has. */
const maxSearches = 200;

/** Makes the places of a process. */
export function createSearchPlaces(): SearchPlaces {
  let taken = 0;
  return {
    take() {
      if (taken >= maxSearches) return false;
      taken++;
      return true;
    },
    leave() {
      taken--;
    },
  };
}
