import { withSteps } from './with-steps.js';

/** Shares costly reads among clients: a client with many requests gets no more than one with a single request. */
export interface Turns {
  /** The turns of one request of a client. Aborting the signal rejects waiting reads with its reason. */
  of(client: string, signal: AbortSignal): ClientTurns;
  /** Whether reads wait for their turn. */
  isBusy(): boolean;
}

/** The turns of one request. */
export interface ClientTurns {
  /** Runs `read` when it is the client's turn. */
  read<T>(read: () => Promise<T>): Promise<T>;
  /** Yields the same items; the client counts as reading while an item is produced, and shortly after. */
  present<T>(items: AsyncIterable<T>): AsyncIterable<T>;
  /** Returns the milliseconds that the reads of this request have run since the previous call, waiting left out. */
  takeSpentMs(): number;
}

interface Client {
  /** Number of items in production. */
  present: number;
  /** When the last item was produced, in milliseconds. */
  produced: number;
  /** Whether a timer watches how long that is ago. */
  lingers: boolean;
  /** Number of running reads. */
  reading: number;
  /** Functions that start the waiting reads, in order. */
  readonly waiting: Set<() => void>;
}

/** A client that asks for the next item within this time is still reading: items need time to travel. */
const lingerMs = 100;

/**
 * Lets at most `atOnce` reads run at a time. With several clients each has one at a time, and waiting clients take
 * turns; a client that reads alone may have `alone` at a time.
 */
export function createTurns(atOnce: number, alone = atOnce): Turns {
  // In the order of their next turns.
  const clients = new Map<string, Client>();
  let reading = 0;
  let waiting = 0;

  const clientOf = (id: string): Client => {
    const client = clients.get(id) ?? { present: 0, produced: 0, lingers: false, reading: 0, waiting: new Set() };
    clients.set(id, client);
    return client;
  };
  const mayRead = (client: Client) => reading < atOnce && client.reading < (clients.size > 1 ? 1 : alone);
  const begin = (id: string, client: Client) => {
    clients.delete(id);
    clients.set(id, client);
    client.reading++;
    reading++;
  };
  const grant = () => {
    while (waiting > 0 && reading < atOnce) {
      const next = [...clients].find(([, client]) => client.waiting.size > 0 && mayRead(client));
      if (next === undefined) return;
      const [id, client] = next;
      const [resume] = client.waiting;
      client.waiting.delete(resume!);
      begin(id, client);
      resume!();
    }
  };
  const settle = (id: string, client: Client) => {
    if (client.present + client.reading + client.waiting.size === 0 && !client.lingers) clients.delete(id);
    grant();
  };
  /** One timer for all items of a client. */
  const linger = (id: string, client: Client, waitMs: number) => {
    client.lingers = true;
    const expire = () => {
      const leftMs = client.produced + lingerMs - performance.now();
      client.lingers = false;
      if (leftMs > 0) linger(id, client, leftMs);
      else settle(id, client);
    };
    setTimeout(expire, waitMs).unref();
  };
  const turn = (id: string, client: Client, signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const resume = () => {
        waiting--;
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = () => {
        waiting--;
        client.waiting.delete(resume);
        reject(signal.reason);
        settle(id, client);
      };
      signal.addEventListener('abort', giveUp, { once: true });
      client.waiting.add(resume);
      waiting++;
    });
  return {
    isBusy: () => waiting > 0,
    of: (id, signal) => {
      let spentMs = 0;
      return {
        async read(read) {
          signal.throwIfAborted();
          const client = clientOf(id);
          // Whoever waits may not read now, so nobody is overtaken.
          if (mayRead(client)) begin(id, client);
          else await turn(id, client, signal);
          const began = performance.now();
          try {
            return await read();
          } finally {
            spentMs += performance.now() - began;
            client.reading--;
            reading--;
            settle(id, client);
          }
        },
        present: (items) =>
          withSteps(items, async (iterator) => {
            const client = clientOf(id);
            client.present++;
            try {
              return await iterator.next();
            } finally {
              client.present--;
              client.produced = performance.now();
              if (!client.lingers) linger(id, client, lingerMs);
            }
          }),
        takeSpentMs() {
          const ms = spentMs;
          spentMs = 0;
          return ms;
        },
      };
    },
  };
}
