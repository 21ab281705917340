import type { ChangeFeedServiceService, ObjectReaderServiceService, WatchResponse } from '@cadastre/proto/objects';
import { type RegistryObject, View } from '@cadastre/proto/registry';
import type { RpcClient } from '@cadastre/service';

/** Where the index gets its content from: the objects service. */
export interface Truth {
  readonly reader: Pick<RpcClient<typeof ObjectReaderServiceService>, 'exportObjects' | 'listSources'>;
  readonly feed: RpcClient<typeof ChangeFeedServiceService>;
}

/** The feed gives a sign of life every ten seconds; one that is silent for longer is broken. */
const silenceMs = 30_000;

/** The newest states of what changed after a serial, and so on until the signal. */
export function watchChanges(
  truth: Truth,
  source: string,
  afterSerial: bigint,
  signal: AbortSignal,
): AsyncIterable<WatchResponse> {
  const request = { source, afterSerial, keysOnly: false, fromNow: false, latestOnly: true };
  return unlessSilent((alive) => truth.feed.watch(request, { signal: alive }), signal);
}

/** Every object of a source. The first page tells the serial from which to follow. */
export function exportAll(
  truth: Truth,
  source: string,
  signal: AbortSignal,
): AsyncIterable<{ serial: bigint; objects: RegistryObject[] }> {
  const request = { source, types: [], view: View.VIEW_COMPLETE };
  return unlessSilent((alive) => truth.reader.exportObjects(request, { signal: alive }), signal);
}

/** The serial of the newest change of a source. */
export async function newestSerial(truth: Truth, source: string, signal: AbortSignal): Promise<bigint> {
  const { sources } = await truth.reader.listSources({}, { signal });
  return sources.find((one) => one.name === source)?.serial ?? 0n;
}

/** Breaks off a stream that says nothing for too long. The time that its reader takes does not count. */
async function* unlessSilent<T>(
  open: (alive: AbortSignal) => AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T> {
  const silence = new AbortController();
  const expect = () => setTimeout(() => silence.abort(), silenceMs);
  let timer = expect();
  try {
    for await (const message of open(AbortSignal.any([signal, silence.signal]))) {
      clearTimeout(timer);
      yield message;
      timer = expect();
    }
  } finally {
    clearTimeout(timer);
  }
}
