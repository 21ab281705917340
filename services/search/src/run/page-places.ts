import { type Turns, untilOnTime } from '@cadastre/service';

/** The places for large pages: few, because such a page needs many times its text, and one per client. */
export interface PagePlaces {
  /**
   * Waits for a place, in turn by client; rejects with the reason of the signal when that aborts. Call the returned
   * function, at least once, when the page is released. A caller with a place must not wait for another one.
   */
  take(client: string, signal: AbortSignal): Promise<() => void>;
}

/** Makes places from turns: a place is a turn that lasts until its page is released. */
export function createPagePlaces(turns: Turns): PagePlaces {
  return {
    take: (client, signal) =>
      new Promise((resolve, reject) => {
        const hold = async () => {
          await untilOnTime(signal);
          await new Promise<void>((leave) => resolve(leave));
        };
        turns.of(client, signal).read(hold).catch(reject);
      }),
  };
}
