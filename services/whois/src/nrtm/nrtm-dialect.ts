import { watchChanges } from '@cadastre/changes';
import {
  type Nrtm3Refusal,
  type Nrtm3Request,
  parseNrtm3Request,
  writeNrtm3End,
  writeNrtm3Refusal,
  writeNrtm3Start,
} from '@cadastre/nrtm';
import { ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import type { Answering, Connection } from '../dialect.js';
import { untilAllowed } from '../limits.js';
import type { Frame } from '../ripe/frame.js';
import { changeWriter } from './change-text.js';
import { rangeToSend } from './journals.js';
import type { NrtmMetrics, Refusal, StreamSlots } from './streams.js';

/** Answers a request for changes. */
export type NrtmDialect = Answering<NrtmLine>;

interface NrtmParts {
  readonly frame: Frame;
  readonly slots: StreamSlots;
  readonly metrics: NrtmMetrics;
  /** Character set of objects. */
  readonly charset: 'latin1' | 'utf8';
}

/** A request, and its client. */
interface Requested {
  readonly request: Nrtm3Request;
  readonly keepsOpen: boolean;
  readonly client: string;
}

/**
 * Sends changes to clients that may follow sources (NRTM version 3). An answer that fails after its first line is cut:
 * a follower accepts only an answer with its last line.
 */
export function nrtmDialect(context: Context, parts: NrtmParts): NrtmDialect {
  return ({ request, keepsOpen }, state, connection) => {
    const { client } = connection;
    const refusal: Refusal | undefined =
      'code' in request ? { ...request, reason: 'request' } : refusalOf(context, request, client);
    if (refusal !== undefined) return { body: paced(context, refused(parts, refusal), connection), state };
    const requested = { request: request as Nrtm3Request, keepsOpen, client };
    const open = (over: AbortSignal) => answer(context, parts, requested, over);
    return { body: keepsOpen ? { open } : open(connection.signal), state };
  };
}

/** Why a client gets nothing, as far as this needs no other service. */
function refusalOf(
  { journals, limiter, sources }: Context,
  { source }: Nrtm3Request,
  client: string,
): Refusal | undefined {
  const mayFollow = journals.isOpenTo(client) && limiter.checkBlocked(limiter.clients.atAddress(client)) === undefined;
  if (!mayFollow) {
    return { code: 402, text: `not authorised to follow a source from IP address ${client}`, reason: 'not-authorised' };
  }
  if (journals.has(source)) return undefined;
  if (!sources.mirrors.includes(source)) {
    return { code: 403, text: `unknown source ${source}`, reason: 'unknown-source' };
  }
  return { code: 402, text: `${source} is a copy of another registry: follow that registry`, reason: 'not-authorised' };
}

/** A refusal waits like an answer. */
async function* paced({ limiter }: Context, refusal: Buffer, { client, signal }: Connection): AsyncGenerator<Buffer> {
  await untilAllowed(limiter, limiter.clients.atAddress(client), ['queries'], signal);
  yield refusal;
}

function refused({ frame, metrics }: NrtmParts, refusal: Refusal): Buffer {
  metrics.refused(refusal.reason);
  return Buffer.from(`${frame.head}${writeNrtm3Refusal(refusal)}\n\n`, 'latin1');
}

async function* answer(
  context: Context,
  parts: NrtmParts,
  requested: Requested,
  over: AbortSignal,
): AsyncGenerator<Buffer> {
  const { limiter } = context;
  const client = limiter.clients.atAddress(requested.client);
  const leave = parts.slots.take(client.id);
  if (typeof leave === 'string') {
    const text = 'connections exceeded: too many followers, or a second one';
    yield refused(parts, { code: 306, text, reason: leave });
    return;
  }
  const end = parts.metrics.begun();
  try {
    await untilAllowed(limiter, client, ['queries'], over);
    yield* changes(context, parts, requested, over);
  } finally {
    end();
    leave();
  }
}

async function* changes(
  context: Context,
  parts: NrtmParts,
  requested: Requested,
  over: AbortSignal,
): AsyncGenerator<Buffer> {
  const { request, keepsOpen, client } = requested;
  const { journals, logger } = context;
  const available = await journals.range(over).catch((err: unknown) => {
    if (over.aborted) throw err;
    logger.warn({ client, err }, 'a request for changes failed');
    return 'unknown' as const;
  });
  if (available === 'unknown') {
    yield refused(parts, { code: 100, text: 'internal software error', reason: 'failed' });
    return;
  }
  const range = rangeToSend({ ...request, keepsOpen }, available);
  if ('code' in range) {
    if (range.reason === 'forgotten' || range.reason === 'ahead') {
      logger.warn(
        { client, ...request, available },
        'a follower requests changes that do not exist: its copy needs a dump',
      );
    }
    yield refused(parts, range);
    return;
  }
  const { source, version } = request;
  yield Buffer.from(parts.frame.head + writeNrtm3Start({ source, version, ...range }), 'latin1');
  const isEndless = keepsOpen && request.last === undefined;
  yield* changesBetween(
    context,
    parts,
    requested,
    { ...range, last: isEndless ? Number.POSITIVE_INFINITY : range.last },
    over,
  );
  if (!isEndless) yield Buffer.from(`${writeNrtm3End(source)}\n\n`, 'latin1');
}

/** Approximate size of the pieces in which texts are sent, in characters. */
const pieceLength = 64 * 1024;

async function* changesBetween(
  { backends, limiter, sources: { main } }: Context,
  { metrics, charset }: NrtmParts,
  { request, client }: Requested,
  { first, last }: { readonly first: number; readonly last: number },
  over: AbortSignal,
): AsyncGenerator<Buffer> {
  const write = changeWriter({ main, request, reader: backends.reader });
  const wanted = { source: main, from: { serial: BigInt(first - 1) }, publicCopies: true, signal: over };
  let text = '';
  for await (const page of watchChanges(backends.feed, wanted)) {
    if (limiter.checkBlocked(limiter.clients.atAddress(client)))
      throw new ServiceError('forbidden', 'The client is blocked');
    const entries = page.changes.filter(({ serial }) => Number(serial) <= last);
    for (const change of await write(entries, over)) {
      if (change === '') continue;
      metrics.sent();
      text += change;
      if (text.length < pieceLength) continue;
      yield Buffer.from(text, charset);
      text = '';
    }
    if (text !== '') yield Buffer.from(text, charset);
    text = '';
    if (Number(page.serial) >= last) return;
  }
}

/** A line that requests changes. */
interface NrtmLine {
  /** `-k`: also future changes. */
  readonly keepsOpen: boolean;
  readonly request: Nrtm3Request | Nrtm3Refusal;
}

/** Old clients send their name first. */
const agent = /^\s*-V\s*\S+(?=\s)/;
const changesLine = /^\s*(-k\s+-|-k|-)g(.*)$/;

/** Reads `-g SOURCE:3:FIRST-LAST`, possibly with `-k`; undefined for any other line. */
export function readNrtmLine(line: string): NrtmLine | undefined {
  const [, before = '', after = ''] = changesLine.exec(line.replace(agent, '')) ?? [];
  if (before === '') return undefined;
  const argument = after.replace(/\s-k\s*$/, '');
  const keepsOpen = before !== '-' || argument !== after;
  return { keepsOpen, request: parseNrtm3Request(argument.trim()) };
}
