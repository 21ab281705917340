import {
  BulkLoadServiceService,
  type DeletionRefused,
  DumpEncoding,
  type LoadBegun,
  type LoadProgress,
  type LoadRequest,
  type LoadResponse,
  type LoadSummary,
  type RejectedObject,
} from '@cadastre/proto/objects';
import type { RpcClient } from '@cadastre/service';
import { withClient } from '../clients.js';
import { despiteBreaks } from '../despite-breaks.js';
import { CommandFailure } from '../failure.js';
import type { Io } from '../io.js';
import type { Input } from './input.js';
import { createPlace, type Place } from './place.js';

const maxLoadMs = 24 * 3_600_000;
const largestPiece = 1024 * 1024;

/** Destination and options of a load. */
export interface LoadTarget {
  source: string;
  replace: boolean;
  /** With `replace`, for copies of other registries: readers never see a mixture, and a refused load stores nothing. */
  allOrNothing: boolean;
  /** With `replace`: how many objects it may delete; without a number the service decides. */
  allowedDeletes: bigint | undefined;
  utf8: boolean;
  dryRun: boolean;
  /** How long to retry without progress after a break, in milliseconds. */
  retryMs: number;
}

/** Receives the events of a load. */
export interface LoadReports {
  begun(begun: LoadBegun): void;
  progress(progress: LoadProgress): void;
  rejected(rejected: RejectedObject): void;
  /** The connection was lost; the load resumes soon. */
  broken(): void;
}

/** How a load ended: `refused` when it stored all objects and deleted nothing. */
export interface Loaded {
  summary: LoadSummary;
  refused: DeletionRefused | undefined;
}

/**
 * Streams the input into the source; resumes after breaks, and resolves when everything is stored. Ends with an error
 * when `signal` is aborted.
 */
export async function load(
  io: Io,
  target: LoadTarget,
  input: Input,
  reports: LoadReports,
  signal: AbortSignal,
): Promise<Loaded> {
  return await withClient(io, 'objects', BulkLoadServiceService, async (client) => {
    const place = createPlace(input);
    const responses = despiteBreaks(io, {
      open: () => responsesOf(client, requestsOf(target, input, place), signal),
      isProgress: ({ news }) => place.advance(news),
      goOn: () => {
        reports.broken();
        return place.goOn();
      },
      signal,
      retryMs: target.retryMs,
    });
    for await (const { news } of responses) {
      if (news?.$case === 'begun') reports.begun(news.value);
      else if (news?.$case === 'progress') reports.progress(news.value);
      else if (news?.$case === 'rejected' && place.isNew(news.value)) reports.rejected(news.value);
      else if (news?.$case === 'summary') return { summary: news.value, refused: undefined };
      else if (news?.$case === 'refused' && news.value.loaded) {
        return { summary: news.value.loaded, refused: news.value };
      }
    }
    throw new CommandFailure('The load ended without a summary');
  });
}

/** The responses of one call. The input's own failure (a damaged file) is more helpful than the error of the call. */
async function* responsesOf(
  client: RpcClient<typeof BulkLoadServiceService>,
  requests: AsyncIterable<LoadRequest>,
  signal: AbortSignal,
): AsyncGenerator<LoadResponse> {
  let inputFailure: { readonly error: unknown } | undefined;
  async function* sent(): AsyncGenerator<LoadRequest> {
    try {
      yield* requests;
    } catch (error) {
      inputFailure = { error };
      throw error;
    }
  }
  try {
    yield* client.load(sent(), { deadlineMs: maxLoadMs, signal });
  } catch (error) {
    throw inputFailure === undefined ? error : inputFailure.error;
  }
  if (inputFailure !== undefined) throw inputFailure.error;
}

/** The settings, the keys of the text before its position, and the text from there on. */
async function* requestsOf(target: LoadTarget, input: Input, place: Place): AsyncGenerator<LoadRequest> {
  const encoding = target.utf8 ? DumpEncoding.DUMP_ENCODING_UTF8 : DumpEncoding.DUMP_ENCODING_LATIN1;
  const { source, replace, allowedDeletes, dryRun } = target;
  const allOrNothing = target.allOrNothing || undefined;
  const { resume, keys } = place.current();
  const settings = { source, replace, allOrNothing, encoding, dryRun, allowedDeletes, resume, resumable: true };
  yield { part: { $case: 'settings', value: settings } };
  for (const value of keys) yield { part: { $case: 'keys', value } };
  for await (const chunk of await input.from(Number(resume?.line ?? 1))) {
    for (let at = 0; at < chunk.length; at += largestPiece) {
      yield { part: { $case: 'data', value: chunk.subarray(at, at + largestPiece) } };
    }
  }
}
