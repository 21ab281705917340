import type { IndexedObject, IndexReads } from '../index-port.js';
import { withSteps } from './pages.js';

/**
 * Shares the reads of the index among clients: a client with many searches gets no more than one with a single search.
 */
export interface Turns {
  /** The turns of one search of a client. Aborting the signal rejects waiting reads with its reason. */
  of(client: string, signal: AbortSignal): SearchTurns;
}

/** The turns of one search. */
export interface SearchTurns {
  /** Runs `read` when it is the client's turn. */
  read<T>(read: () => Promise<T>): Promise<T>;
  /** Yields the same items; the client counts as searching while an item is produced, and shortly after. */
  present<T>(items: AsyncIterable<T>): AsyncIterable<T>;
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

/** A client that asks for the next item within this time is still searching: items need time to travel. */
const lingerMs = 100;

/**
 * Lets at most `atOnce` reads run at a time. A client that searches alone may use all of them; with several clients
 * each has one at a time, and waiting clients take turns.
 */
export function createTurns(atOnce: number): Turns {
  // In the order of their next turns.
  const clients = new Map<string, Client>();
  let reading = 0;
  let waiting = 0;

  const clientOf = (id: string): Client => {
    const client = clients.get(id) ?? { present: 0, produced: 0, lingers: false, reading: 0, waiting: new Set() };
    clients.set(id, client);
    return client;
  };
  const mayRead = (client: Client) => reading < atOnce && client.reading < (clients.size > 1 ? 1 : atOnce);
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
    of: (id, signal) => ({
      async read(read) {
        signal.throwIfAborted();
        const client = clientOf(id);
        // Whoever waits may not read now, so nobody is overtaken.
        if (mayRead(client)) begin(id, client);
        else await turn(id, client, signal);
        try {
          return await read();
        } finally {
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
    }),
  };
}

/** The index with reads that take turns. The turn that starts a query also reads its first page. */
export function inTurns(index: IndexReads, turns: SearchTurns): IndexReads {
  return {
    query: (...question) =>
      turns.read(async () => {
        const matches = await index.query(...question);
        if (matches === undefined) return undefined;
        const pages = matches.pages[Symbol.asyncIterator]();
        const first = await pages.next();
        return { serial: matches.serial, pages: pagesInTurns(first, pages, turns) };
      }),
    nearestWith: (...question) => turns.read(() => index.nearestWith(...question)),
    load: (ids) => turns.read(() => index.load(ids)),
    known: (ids) => turns.read(() => index.known(ids)),
  };
}

type Page = readonly IndexedObject[];

function pagesInTurns(
  first: IteratorResult<Page>,
  pages: AsyncIterator<Page>,
  turns: SearchTurns,
): AsyncIterable<Page> {
  let read: IteratorResult<Page> | undefined = first;
  return withSteps({ [Symbol.asyncIterator]: () => pages }, async () => {
    const step = read ?? (await turns.read(() => pages.next()));
    read = undefined;
    return step;
  });
}
