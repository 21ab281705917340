import type { FeedPosition } from '@cadastre/changes';
import type { Objects } from '../objects-client.js';
import type { PublicSource } from '../public-source.js';
import { type PublicObject, readPublicExport } from './public-export.js';

/** The objects of a source after one change. */
export interface SourceState {
  readonly position: FeedPosition;
  /** Their public texts, in pages. */
  readonly pages: AsyncIterable<readonly string[]>;
}

/** The state after the change with a serial, by default the newest one. Errors: those of `readPublicExport`. */
export async function readState(
  objects: Pick<Objects, 'reader'>,
  source: PublicSource,
  options: { readonly serial?: bigint; readonly signal: AbortSignal },
): Promise<SourceState> {
  const { position, pages } = await readPublicExport(objects, source, options);
  return { position, pages: textsOf(pages) };
}

async function* textsOf(pages: AsyncIterable<readonly PublicObject[]>): AsyncGenerator<readonly string[]> {
  for await (const page of pages) yield page.map(({ text }) => text);
}
