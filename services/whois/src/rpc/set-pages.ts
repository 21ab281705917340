import { queryMessages } from '@cadastre/query';
import { ownMirrorName } from '@cadastre/rpsl';
import { type Call, ServiceError } from '@cadastre/service';
import { createExpansionMemory, type ExpansionMemory } from '../expansion-memory.js';
import { expandFairly, type Selection, type SetTools } from '../sets/expansion.js';
import type { SetIndex } from '../sets/set-index.js';
import { pausing } from '../turns.js';

interface SetRequest {
  readonly sources: readonly string[];
  readonly routeSources: readonly string[];
  readonly client: string;
  readonly name: string;
  readonly excludedSets?: readonly string[];
}

/** A request with what its answer needs. */
export interface Requested {
  readonly name: string;
  readonly selection: Selection & { readonly index: SetIndex };
  /** The serial of the first source. */
  readonly serial: bigint;
  /** Memory for a part of the answer, besides that of its expansion. */
  readonly ofPart: ExpansionMemory;
}

interface Answering<T> {
  /** Makes the pages, in these bounds; undefined for an unknown set. */
  pagesOf(bounded: Selection, requested: Requested): Promise<AsyncGenerator<T> | undefined>;
  /** Approximate bytes of a page. */
  bytesOf(page: T): number;
}

/**
 * Streams the answer to a request about a set; makes a page when the client has read the one before. When others need
 * its memory and the client reads slowly, releases all immediately, because the next read may never come; that read
 * throws a ServiceError (unavailable). Throws a ServiceError (invalid, not-found) for an unknown source or set.
 */
export async function* setPages<T>(
  tools: SetTools,
  request: SetRequest,
  { signal, caller }: Pick<Call, 'signal' | 'caller'>,
  { pagesOf, bytesOf }: Answering<T>,
): AsyncGenerator<T> {
  const { index, memory, slots, turns, maxMembers } = tools;
  const client = request.client || caller;
  const held = createExpansionMemory(memory, client);
  const ofPart = createExpansionMemory(memory, client);
  const sources = sourcesOf(index, request.sources);
  const routeSources = request.routeSources.length === 0 ? sources : sourcesOf(index, request.routeSources);
  const excluded = new Set(request.excludedSets?.map((name) => name.toLowerCase()));
  const selection = { index, sources, routeSources, excluded, maxMembers, pause: pausing(turns, client, signal) };
  const serial = index.status(sources[0]!)?.serial ?? 0n;
  const requested = { name: request.name.trim(), selection, serial, ofPart };
  try {
    // The only reference to the pages.
    let pages = await expandFairly(slots, client, signal, held, selection, (bounded) => pagesOf(bounded, requested));
    if (pages === undefined) throw new ServiceError('not-found', [queryMessages.noEntries(sources)]);
    const noteRead = held.readUntil(() => {
      pages = undefined;
      ofPart.release();
    });
    for (;;) {
      const next: IteratorResult<T> | undefined = await pages?.next();
      if (pages === undefined) throw new ServiceError('unavailable', 'The answer was read too slowly');
      if (next === undefined || next.done) return;
      yield next.value;
      noteRead(bytesOf(next.value));
    }
  } finally {
    held.release();
    ofPart.release();
  }
}

/** The names of the requested sources in the index; some may be aliases. Each once: no more than the index has. */
function sourcesOf(index: SetIndex, requested: readonly string[]): readonly string[] {
  if (requested.length === 0) return index.names.slice(0, 1);
  return [...new Set(requested.flatMap((alias) => index.resolve([alias]).map((name) => sourceIn(index, name, alias))))];
}

function sourceIn({ names, selectable }: SetIndex, name: string, requested: string): string {
  if (selectable.includes(name)) return name;
  const main = names[0]!;
  if (name === ownMirrorName(main)) return main;
  throw new ServiceError('invalid', [queryMessages.invalidSource(requested)]);
}
