import { View } from '@cadastre/proto/registry';
import { ServiceError, unlessSilent } from '@cadastre/service';
import type { Objects } from '../objects-client.js';
import { publicText } from './public-text.js';
import { LostPlace } from './read-changes.js';
import type { Position } from './state.js';

/** The objects of a source after one change. */
export interface SourceState {
  readonly position: Position;
  /** Their texts as others get them, in pages. */
  readonly pages: AsyncIterable<readonly string[]>;
}

/** The state after the change with a serial, by default the newest one. Throws a LostPlace. */
export async function readState(
  { reader }: Pick<Objects, 'reader'>,
  source: string,
  { serial, signal }: { serial?: bigint; signal: AbortSignal },
): Promise<SourceState> {
  const asOf = serial === undefined ? {} : { point: { $case: 'serial' as const, value: serial } };
  const request = { source, types: [], view: View.VIEW_COMPLETE, asOf };
  const messages = unlessSilent((alive) => reader.exportObjects(request, { signal: alive }), signal);
  const first = await withLostPlace(messages.next());
  if (first.done) throw new ServiceError('unavailable', 'The export ended');
  if (first.value.exact !== true) throw new Error('the objects service is too old: it exports no moment');
  const { serial: exported, instant } = first.value;
  async function* pages(): AsyncGenerator<readonly string[]> {
    for (let message = first; !message.done; message = await withLostPlace(messages.next())) {
      yield message.value.objects.flatMap(({ text }) => publicText(text, source) ?? []);
    }
    signal.throwIfAborted();
  }
  return { position: { serial: exported, instant }, pages: pages() };
}

async function withLostPlace<T>(result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'out-of-range') throw new LostPlace(error.message);
    throw error;
  }
}
