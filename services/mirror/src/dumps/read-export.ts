import { type ObjectTypeName, placeholderPerson, printObject } from '@cadastre/rpsl';
import type { Objects } from '../objects-client.js';
import type { PublicSource } from '../public-source.js';
import { readPublicExport } from '../publish/public-export.js';

/** The state of a source at one moment. */
export interface Exported {
  readonly serial: bigint;
  /**
   * The public texts of objects, type by type in the order of `objectTypeNames`. In a source that may have persons, the
   * last one is their placeholder.
   */
  readonly pages: AsyncIterable<ExportedPage>;
}

export interface ExportedPage {
  readonly type: ObjectTypeName;
  readonly texts: readonly string[];
}

/** Begins to read the newest state of a source. */
export async function readExport(
  objects: Pick<Objects, 'reader'>,
  source: PublicSource,
  signal: AbortSignal,
): Promise<Exported> {
  const { position, pages: publicPages } = await readPublicExport(objects, source, { signal });
  async function* pages(): AsyncGenerator<ExportedPage> {
    for await (const page of publicPages) {
      for (const [type, ofType] of Map.groupBy(page, (object) => object.type)) {
        yield { type: type as ObjectTypeName, texts: ofType.map(({ text }) => text) };
      }
    }
    if (source.types.includes('person')) {
      yield { type: 'person', texts: [printObject(placeholderPerson(source.name))] };
    }
  }
  return { serial: position.serial, pages: pages() };
}
