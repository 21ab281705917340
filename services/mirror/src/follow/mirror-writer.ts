import {
  type ApplyMirrorChangesRequest,
  type ApplyMirrorChangesResponse,
  DeletionRefusal,
  type DeletionRefused,
  DumpEncoding,
  type LoadRequest,
  type LoadSummary,
  type MirrorChange as SentChange,
} from '@cadastre/proto/objects';
import { type Logger, ServiceError, startingWith } from '@cadastre/service';
import type { Objects } from '../objects-client.js';
import {
  type Applied,
  type ApplyOptions,
  type LoadOptions,
  type MirrorChange,
  MirrorFault,
  type MirrorWriter,
  TooManyChanges,
} from './origin.js';

export interface MirrorWriterOptions {
  /** Our source. */
  readonly source: string;
  readonly objects: Pick<Objects, 'loader' | 'mirrorWriter'>;
  /** An operator has reset the copy: a whole load may delete any number of objects, but never all. */
  readonly unguarded: boolean;
  readonly logger: Logger;
}

const maxLoadMs = 4 * 3_600_000;
const maxApplyMs = 600_000;

/** Maximum size of a message of changes, in characters. A message has at least one change. */
const pieceLength = 512 << 10;

/** Writes a copy by the objects service. */
export function mirrorWriter({ source, objects, unguarded, logger }: MirrorWriterOptions): MirrorWriter {
  async function loadOnce(text: AsyncIterable<Uint8Array>, options: LoadOptions, allowedDeletes?: bigint) {
    const settings = {
      source,
      replace: true,
      encoding: options.encoding === 'utf8' ? DumpEncoding.DUMP_ENCODING_UTF8 : DumpEncoding.DUMP_ENCODING_LATIN1,
      dryRun: false,
      allowedDeletes,
      allOrNothing: true,
      originSource: options.originSource,
    };
    return sending(loadRequests(settings, text), async (requests) => {
      const responses = objects.loader.load(requests, { deadlineMs: maxLoadMs, signal: options.signal });
      for await (const { news } of responses) {
        if (news?.$case === 'rejected') logger.debug({ source, ...news.value }, 'object of origin rejected');
        else if (news?.$case === 'summary') return { summary: news.value };
        else if (news?.$case === 'refused') return { refused: news.value };
      }
      throw new MirrorFault('transient', 'The load ended without a summary');
    });
  }

  return {
    async load(open, options) {
      const first = await loadOnce(open(), options);
      if ('summary' in first) return loaded(first.summary);
      const { refused } = first;
      const isEmpty = refused.reason === DeletionRefusal.DELETION_REFUSAL_NO_OBJECT;
      if (isEmpty || !unguarded) throw new MirrorFault('refused', refusalText(refused));
      const second = await loadOnce(open(), options, refused.deletes);
      if ('summary' in second) return loaded(second.summary);
      throw new MirrorFault('refused', refusalText(second.refused));
    },

    async apply(changes, { originSource, signal }) {
      const all = nonEmpty(changes);
      const first = await all.next();
      if (first.done) return { loads: 0, puts: 0, deletes: 0, rejected: 0 };
      const given = changeRequests({ source, originSource }, startingWith(first.value, all));
      const response = await sending(given, (requests) =>
        objects.mirrorWriter.applyMirrorChanges(requests, { deadlineMs: maxApplyMs, signal }),
      ).catch((error) => {
        throw error instanceof ServiceError && error.kind === 'out-of-range'
          ? new TooManyChanges(error.message)
          : error;
      });
      for (const rejection of response.rejections) logger.debug({ source, ...rejection }, 'change of origin rejected');
      return applied(response);
    },
  };
}

/** Without changes, as when all are of other classes, nobody is called. */
async function* nonEmpty(
  changes: AsyncIterable<readonly MirrorChange[]>,
): AsyncGenerator<readonly MirrorChange[], undefined> {
  for await (const some of changes) if (some.length > 0) yield some;
}

function refusalText({ reason, deletes, sourceObjects }: DeletionRefused): string {
  return reason === DeletionRefusal.DELETION_REFUSAL_NO_OBJECT
    ? `The origin has no object, the copy has ${sourceObjects}`
    : `The origin lacks ${deletes} of the ${sourceObjects} objects of the copy`;
}

function loaded(summary: LoadSummary | undefined): Applied {
  const { created = 0n, modified = 0n, deleted = 0n, rejected = 0n } = summary ?? {};
  return { loads: 1, puts: Number(created + modified), deletes: Number(deleted), rejected: Number(rejected) };
}

function applied({ created, modified, deleted, rejected }: ApplyMirrorChangesResponse): Applied {
  return { loads: 0, puts: Number(created + modified), deletes: Number(deleted), rejected: Number(rejected) };
}

/** Makes a call with these requests. An error of the requests is more helpful than the error of the call. */
async function sending<Request, Result>(
  requests: AsyncIterable<Request>,
  call: (requests: AsyncIterable<Request>) => Promise<Result>,
): Promise<Result> {
  let broken: { readonly error: unknown } | undefined;
  async function* sent(): AsyncGenerator<Request> {
    try {
      yield* requests;
    } catch (error) {
      broken = { error };
      throw error;
    }
  }
  let result: Result;
  try {
    result = await call(sent());
  } catch (error) {
    throw broken === undefined ? error : broken.error;
  }
  if (broken !== undefined) throw broken.error;
  return result;
}

type LoadSettingsOf = Extract<NonNullable<LoadRequest['part']>, { $case: 'settings' }>['value'];

async function* loadRequests(value: LoadSettingsOf, text: AsyncIterable<Uint8Array>): AsyncGenerator<LoadRequest> {
  yield { part: { $case: 'settings', value } };
  for await (const piece of text) {
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    for (let at = 0; at < bytes.length; at += pieceLength) {
      yield { part: { $case: 'data', value: bytes.subarray(at, at + pieceLength) } };
    }
  }
}

async function* changeRequests(
  value: { source: string } & Pick<ApplyOptions, 'originSource'>,
  changes: AsyncIterable<readonly MirrorChange[]>,
): AsyncGenerator<ApplyMirrorChangesRequest> {
  yield { part: { $case: 'settings', value } };
  for await (const some of changes) {
    for (const piece of pieces(some)) yield { part: { $case: 'changes', value: { changes: piece } } };
  }
}

function* pieces(changes: readonly MirrorChange[]): Generator<SentChange[]> {
  let piece: SentChange[] = [];
  let length = 0;
  for (const change of changes) {
    piece.push(sentChange(change));
    length += 'put' in change ? change.put.length : change.delete.primaryKey.length;
    if (length < pieceLength) continue;
    yield piece;
    piece = [];
    length = 0;
  }
  if (piece.length > 0) yield piece;
}

function sentChange(change: MirrorChange): SentChange {
  if ('put' in change) return { change: { $case: 'put', value: change.put } };
  return { change: { $case: 'delete', value: { ...change.delete } } };
}
