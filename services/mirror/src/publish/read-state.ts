import { ServiceError } from '@cadastre/service';
import type { Objects } from '../objects-client.js';
import type { PublicSource } from '../public-source.js';
import { readPublicExport } from './public-export.js';
import { LostPlace } from './read-changes.js';
import type { Position } from './state.js';

/** The objects of a source after one change. */
export interface SourceState {
  readonly position: Position;
  /** Their public texts, in pages. */
  readonly pages: AsyncIterable<readonly string[]>;
}

/** The state after the change with a serial, by default the newest one. Throws a LostPlace. */
export async function readState(
  objects: Pick<Objects, 'reader'>,
  source: PublicSource,
  options: { readonly serial?: bigint; readonly signal: AbortSignal },
): Promise<SourceState> {
  const exported = await readPublicExport(objects, source, options).catch(throwLostPlace);
  async function* pages(): AsyncGenerator<readonly string[]> {
    try {
      for await (const page of exported.pages) yield page.map(({ text }) => text);
    } catch (error) {
      throwLostPlace(error);
    }
  }
  return { position: exported.position, pages: pages() };
}

function throwLostPlace(error: unknown): never {
  if (error instanceof ServiceError && error.kind === 'out-of-range') throw new LostPlace(error.message);
  throw error;
}
