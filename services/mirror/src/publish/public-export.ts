import type { FeedPosition } from '@cadastre/changes';
import type { ExportObjectsResponse } from '@cadastre/proto/objects';
import { View } from '@cadastre/proto/registry';
import { ServiceError, startingWith, unlessSilent } from '@cadastre/service';
import type { Objects } from '../objects-client.js';
import type { PublicSource } from '../public-source.js';
import { isPublicType, publicText } from './public-text.js';

/** The public form of an object. */
export interface PublicObject {
  readonly type: string;
  readonly text: string;
}

/** The public form of a source at one moment. */
export interface PublicExport {
  readonly position: FeedPosition;
  /** In the order of types and keys. */
  readonly pages: AsyncIterable<readonly PublicObject[]>;
}

/**
 * Begins to read the state after the change with a serial, by default the newest one. Throws a ServiceError:
 * 'out-of-range' for a state that the registry no longer has, also while the pages are read.
 */
export async function readPublicExport(
  { reader }: Pick<Objects, 'reader'>,
  source: PublicSource,
  { serial, signal }: { readonly serial?: bigint; readonly signal: AbortSignal },
): Promise<PublicExport> {
  const asOf = serial === undefined ? {} : { point: { $case: 'serial' as const, value: serial } };
  const types = source.types.filter((type) => isPublicType(source, type));
  const request = { source: source.store, types, view: View.VIEW_COMPLETE, asOf };
  const messages = unlessSilent((alive) => reader.exportObjects(request, { signal: alive }), signal);
  const first = await messages.next();
  if (first.done) throw new ServiceError('unavailable', 'The export ended');
  if (first.value.exact !== true) throw new Error('the objects service is too old: it exports no moment');
  const { serial: exported, instant } = first.value;
  async function* pages(): AsyncGenerator<readonly PublicObject[]> {
    for await (const { objects } of startingWith<ExportObjectsResponse>(first.value, messages)) {
      yield objects.flatMap(({ type, text: complete }) => {
        const text = publicText(complete, source);
        return text === undefined ? [] : [{ type, text }];
      });
    }
    // A cancelled stream may end like a complete one.
    signal.throwIfAborted();
  }
  return { position: { serial: exported, instant }, pages: pages() };
}
