import type { LimitedClient } from '@cadastre/limits';
import type { Context } from '../context.js';
import { clientLeft, HttpError } from '../errors.js';
import { messages } from '../ripe-messages.js';
import type { Backends } from './connect.js';

type Sets = NonNullable<Backends['sets']>;

/** A stream of whois after its first message. */
interface BegunStream<T> {
  readonly first: T;
  readonly rest: AsyncIterator<T>;
}

/**
 * Opens a stream of whois, and waits for its first message, which decides the status. Throws an HttpError (503) without
 * a whois service, and the ServiceError of the stream.
 */
export async function beginStream<T>(
  { sets, settings }: Pick<Context, 'sets' | 'settings'>,
  gone: AbortSignal,
  open: (sets: Sets, signal: AbortSignal) => AsyncIterable<T>,
): Promise<BegunStream<T>> {
  if (sets === undefined) throw new HttpError(503, messages.noSetIndex());
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), settings.deadlines.search);
  const rest = open(sets, AbortSignal.any([gone, late.signal]))[Symbol.asyncIterator]();
  try {
    const first = await rest.next();
    if (first.done) throw new Error('a stream without a message');
    return { first: first.value, rest };
  } catch (error) {
    throw gone.aborted ? clientLeft() : error;
  } finally {
    clearTimeout(timer);
  }
}

/** The rest of a stream. Each message counts for its client, and waits for its turn. */
export async function* eachInTurn<T>(
  { limiter, pageTurn }: Pick<Context, 'limiter' | 'pageTurn'>,
  client: LimitedClient,
  rest: AsyncIterator<T>,
  bytesOf: (message: T) => number,
): AsyncGenerator<T> {
  for await (const message of { [Symbol.asyncIterator]: () => rest }) {
    limiter.charge(client, 'bytes', bytesOf(message));
    await pageTurn(client.id);
    yield message;
  }
}
