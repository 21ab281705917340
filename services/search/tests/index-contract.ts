import { afterAll, beforeAll, describe } from 'vitest';
import type { SearchIndex } from '../src/index-port.js';
import { changesContract } from './contract/changes.js';
import { filtersContract } from './contract/filters.js';
import { hierarchyContract } from './contract/hierarchy.js';
import { largeTextsContract } from './contract/large-texts.js';
import { namesContract } from './contract/names.js';
import { rebuildContract } from './contract/rebuild.js';
import { severalQueriesContract } from './contract/several-queries.js';
import { spansContract } from './contract/spans.js';
import { suggestionsContract } from './contract/suggestions.js';
import { termsContract } from './contract/terms.js';
import { wordsContract } from './contract/words.js';

/** The parts of the contract. */
const parts = {
  hierarchy: hierarchyContract,
  spans: spansContract,
  terms: termsContract,
  words: wordsContract,
  names: namesContract,
  filters: filtersContract,
  suggestions: suggestionsContract,
  'several queries': severalQueriesContract,
  changes: changesContract,
  'large texts': largeTextsContract,
  rebuild: rebuildContract,
};

/**
 * The contract of every adapter of the index port; each adapter's test file calls this once, for all parts or some.
 * `open` returns an index that is not started, over an empty store; `close` is called after `stop`.
 */
export function indexContract(
  open: () => Promise<{ index: SearchIndex; close(): Promise<void> }>,
  names = Object.keys(parts) as (keyof typeof parts)[],
): void {
  let opened: Awaited<ReturnType<typeof open>>;
  beforeAll(async () => {
    opened = await open();
    await opened.index.start();
  });
  afterAll(async () => {
    await opened?.index.stop();
    await opened?.close();
  });
  for (const name of names) describe(name, () => parts[name](() => opened.index));
}
