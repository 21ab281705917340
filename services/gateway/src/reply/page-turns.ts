/** Waits until it is a client's turn to have a page of a search written. */
export type PageTurn = (client: string) => Promise<void>;

/**
 * Gives each client one page in a turn of the event loop, however many searches it has: writing a page is work for this
 * process, and whoever has only one search would otherwise wait for all pages of the others.
 */
export function createPageTurns(): PageTurn {
  const waiting = new Map<string, (() => void)[]>();
  const round = () => {
    for (const [client, [first, ...others]] of waiting) {
      if (others.length > 0) waiting.set(client, others);
      else waiting.delete(client);
      first!();
    }
    if (waiting.size > 0) setImmediate(round);
  };
  return (client) =>
    new Promise((resolve) => {
      if (waiting.size === 0) setImmediate(round);
      waiting.set(client, [...(waiting.get(client) ?? []), resolve]);
    });
}
