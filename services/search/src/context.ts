import type { Annotators } from './annotations/annotate.js';
import type { SearchIndex } from './index-port.js';
import type { Indexer } from './indexer/indexer.js';
import type { KnownSources } from './query/parse-query.js';

/** What the RPC handlers work with; wired in service.ts. */
export interface Context {
  readonly sources: KnownSources;
  readonly index: SearchIndex;
  readonly indexer: Indexer;
  readonly annotators: Annotators;
}

/** Every source that is indexed, the main one first. */
export function allSources({ main, mirrors }: KnownSources): readonly string[] {
  return [main, ...mirrors];
}
