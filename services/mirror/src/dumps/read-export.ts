import { View } from '@cadastre/proto/registry';
import { type ObjectTypeName, objectTypeNames, placeholderPerson, printObject } from '@cadastre/rpsl';
import { ServiceError, unlessSilent } from '@cadastre/service';
import type { Objects } from '../objects-client.js';
import { publicText } from '../publish/public-text.js';

/** A source at one moment. */
export interface Exported {
  readonly serial: bigint;
  /**
   * The texts of objects as others get them, type by type in the order of `objectTypeNames`. The last one is the
   * placeholder that stands for all persons.
   */
  readonly pages: AsyncIterable<ExportedPage>;
}

export interface ExportedPage {
  readonly type: ObjectTypeName;
  readonly texts: readonly string[];
}

const exportedTypes = objectTypeNames.filter((type) => type !== 'person');

/** Begins to read the newest state of a source. */
export async function readExport(
  { reader }: Pick<Objects, 'reader'>,
  source: string,
  signal: AbortSignal,
): Promise<Exported> {
  const request = { source, types: exportedTypes, view: View.VIEW_COMPLETE, asOf: {} };
  const messages = unlessSilent((alive) => reader.exportObjects(request, { signal: alive }), signal);
  const first = await messages.next();
  if (first.done) throw new ServiceError('unavailable', 'The export ended');
  if (first.value.exact !== true) throw new Error('the objects service is too old: it exports no moment');
  async function* pages(): AsyncGenerator<ExportedPage> {
    for await (const { objects } of messages) {
      for (const [type, ofType] of Map.groupBy(objects, (object) => object.type)) {
        yield { type: type as ObjectTypeName, texts: ofType.flatMap(({ text }) => publicText(text, source) ?? []) };
      }
    }
    // A stream that was cancelled may end like one that is complete.
    signal.throwIfAborted();
    yield { type: 'person', texts: [printObject(placeholderPerson(source))] };
  }
  return { serial: first.value.serial, pages: pages() };
}
