import {
  BulkLoadServiceService,
  type DeletionRefused,
  DumpEncoding,
  type LoadProgress,
  type LoadRequest,
  type LoadSummary,
} from '@cadastre/proto/objects';
import { withClient } from '../clients.js';
import { CommandFailure } from '../failure.js';
import type { Io } from '../io.js';
import type { Input } from './input.js';
import type { RejectReport } from './rejects.js';

const longestLoadMs = 24 * 3_600_000;
const largestPiece = 1024 * 1024;

/** Destination and options of a load. */
export interface LoadTarget {
  source: string;
  replace: boolean;
  /** With `replace`: how many objects it may delete; without a number the service decides. */
  allowedDeletes: bigint | undefined;
  utf8: boolean;
  dryRun: boolean;
}

/** How a load ended: `refused` when it stored all objects and deleted nothing. */
export interface Loaded {
  summary: LoadSummary;
  refused: DeletionRefused | undefined;
}

/** Streams the input into the source; resolves when everything is stored. Ends with an error when `signal` is aborted. */
export async function load(
  io: Io,
  target: LoadTarget,
  input: Input,
  onProgress: (progress: LoadProgress) => void,
  rejects: RejectReport,
  signal: AbortSignal,
): Promise<Loaded> {
  return await withClient(io, 'objects', BulkLoadServiceService, async (client) => {
    // The input's own failure (a damaged file) is more helpful than the error of the call that it ends.
    let inputFailure: unknown;
    const requests = requestsOf(target, input, (error) => {
      inputFailure = error;
    });
    try {
      for await (const { news } of client.load(requests, { deadlineMs: longestLoadMs, signal })) {
        if (news?.$case === 'progress') onProgress(news.value);
        else if (news?.$case === 'rejected') rejects.add(news.value);
        else if (news?.$case === 'summary') return { summary: news.value, refused: undefined };
        else if (news?.$case === 'refused' && news.value.loaded) {
          return { summary: news.value.loaded, refused: news.value };
        }
      }
    } catch (error) {
      throw inputFailure ?? error;
    }
    throw inputFailure ?? new CommandFailure('The load ended without a summary');
  });
}

async function* requestsOf(
  target: LoadTarget,
  input: Input,
  onFailure: (error: unknown) => void,
): AsyncGenerator<LoadRequest> {
  const encoding = target.utf8 ? DumpEncoding.DUMP_ENCODING_UTF8 : DumpEncoding.DUMP_ENCODING_LATIN1;
  const { source, replace, allowedDeletes, dryRun } = target;
  yield { part: { $case: 'settings', value: { source, replace, encoding, dryRun, allowedDeletes } } };
  try {
    for await (const chunk of input.chunks) {
      for (let at = 0; at < chunk.length; at += largestPiece) {
        yield { part: { $case: 'data', value: chunk.subarray(at, at + largestPiece) } };
      }
    }
  } catch (error) {
    onFailure(error);
    throw error;
  }
}
