import type { LimitedClient } from '@cadastre/limits';
import type { Message } from '@cadastre/proto/registry';
import { type Charset, type LineQuestion, parseLine } from '@cadastre/query';
import { type AddressList, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import { type Answer, type Connection, type Dialect, type IrrdState, nothing } from '../dialect.js';
import { untilAllowed } from '../limits.js';
import { clientOf, denied } from './clients.js';
import { type Frame, messageBlock } from './frame.js';
import { informationText } from './information.js';
import { messages } from './messages.js';
import { cut, searchText } from './search.js';
import { versionsText } from './versions.js';

interface RipeOptions {
  readonly frame: Frame;
  /** The proxies that may name their client (`-V tag,ip`). */
  readonly proxies: AddressList;
}

/**
 * Answers RIPE-style queries, each of which counts. An answer that fails before its first object is an ERROR:100; one
 * that fails later, or on a connection of IRRd-style commands, closes the connection: programs make filters of what
 * they read. So does one that ends early because of a limit, after its message and without the end of a whole answer.
 */
export function ripeDialect(context: Context, { frame, proxies }: RipeOptions): Dialect {
  const { limiter } = context;
  return async (line, state, connection): Promise<Answer> => {
    const { keepsOpen, client: named, charset, question, warnings } = parseLine(line);
    const staysOpen = state.staysOpen || keepsOpen;
    const refuse = (refusals: readonly Message[], stays: boolean): Answer => ({
      body: encoded(`${frame.head}${refusals.map(messageBlock).join('')}${frame.tail}`, charset),
      state: { ...state, staysOpen: stays },
    });
    const client = clientOf(limiter, proxies, connection.client, named);
    const counted = client.ok ? client.value : limiter.clients.atAddress(connection.client);
    const blocked = limiter.checkBlocked(counted);
    if (blocked) return refuse([denied(blocked)], false);
    await untilAllowed(limiter, counted, ['queries'], connection.signal);
    if (!client.ok) return refuse(client.messages, staysOpen);
    if (!question.ok) return refuse(question.messages, staysOpen);
    const requested = inChosenSources(question.value, state.irrd, context);
    if (requested.kind === 'nothing') {
      const opens = !state.staysOpen;
      return { body: opens ? encoded(frame.head, charset) : nothing, state: { ...state, staysOpen: opens } };
    }
    const { showsInvalid } = state.irrd;
    const text = answerText(context, client.value, requested, warnings, { ...connection, showsInvalid });
    const body = framed(text, frame, { isCut: state.irrd.isOpen, charset, connection, context });
    return { body, state: { ...state, staysOpen } };
  };
}

/**
 * The query with the sources that the connection has chosen (`!s`), if it names none: irrtoolset relies on this. It does
 * not search routes made from ROAs; as the only source, these are an unknown one.
 */
function inChosenSources(
  question: LineQuestion,
  { sources, choseSources }: IrrdState,
  { roaSource }: Pick<Context, 'roaSource'>,
): LineQuestion {
  if (question.kind !== 'search' || !choseSources) return question;
  if (question.allSources || question.request.sources.length > 0) return question;
  const searched = sources.filter((name) => name !== roaSource);
  const chosen = searched.length === 0 ? sources : searched;
  return { ...question, request: { ...question.request, sources: [...chosen] } };
}

async function* answerText(
  context: Context,
  client: LimitedClient,
  question: Exclude<LineQuestion, { kind: 'nothing' }>,
  warnings: readonly Message[],
  connection: Connection & Pick<IrrdState, 'showsInvalid'>,
): AsyncGenerator<string | typeof cut> {
  const { signal } = connection;
  const { limiter, searches } = context;
  if (question.kind !== 'search' && question.kind !== 'versions') {
    yield warnings.map(messageBlock).join('') + (await informationText(context, question, connection));
    return;
  }
  await untilAllowed(limiter, client, ['searches'], signal);
  const exceeded = limiter.check(client, 'personal-objects') ?? limiter.takeSlots(client, concurrent);
  if (exceeded) {
    yield messageBlock(denied(exceeded));
    return;
  }
  const slot = searches.take(client, connection.giveUp);
  if (slot === undefined) {
    limiter.releaseSlots(client, concurrent);
    throw new ServiceError('exhausted', 'Too many searches');
  }
  try {
    if (question.kind === 'versions') return void (yield await versionsText(context, client, question, signal));
    for await (const text of searchText(context, client, question, warnings, connection)) {
      yield text;
      if (text !== cut) slot.noteRead(text.length);
    }
  } finally {
    slot.leave();
    limiter.releaseSlots(client, concurrent);
  }
}

const concurrent = ['concurrent-searches'] as const;

interface Framing {
  /** Whether any failure cuts the answer. */
  readonly isCut: boolean;
  readonly charset: Charset;
  readonly connection: Connection;
  readonly context: Context;
}

/** The errors whose messages are for the client. */
const explained: readonly ServiceError['kind'][] = ['invalid', 'not-found', 'out-of-range'];

async function* framed(
  text: AsyncIterable<string | typeof cut>,
  { head, tail }: Frame,
  o: Framing,
): AsyncGenerator<Buffer> {
  let start = head;
  let end: string;
  try {
    for await (const piece of text) {
      if (piece === cut) return o.connection.endAfterAnswer();
      yield encoded(start + piece, o.charset);
      start = '';
    }
    end = '';
  } catch (error) {
    if (o.connection.signal.aborted) throw error;
    if (error instanceof ServiceError && explained.includes(error.kind))
      end = error.messages.map(messageBlock).join('');
    else if (start === '' || o.isCut) throw error;
    else {
      o.context.logger.warn({ client: o.connection.client, err: error }, 'a query failed');
      end = messageBlock(messages.internalError());
    }
  }
  yield encoded(start + end + tail, o.charset);
}

function encoded(text: string, charset: Charset): Buffer {
  // Objects and messages have latin-1 characters only.
  if (charset === 'ascii') return Buffer.from(text.replace(/[^\0-\x7f]/g, '?'), 'latin1');
  return Buffer.from(text, charset);
}
