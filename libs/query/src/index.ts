/** The grammar of queries: flags, types, attributes, search keys, sources, and the messages about them. */
export { acceptsKey } from './accepted-types.js';
export { commentText } from './comment-text.js';
export { conflictOf, modeConflictOf } from './conflicts.js';
export { type Flag, modeFlags, type SearchFlag } from './flags.js';
export { type InverseTerm, inverseTerms } from './inverse.js';
export { searchable } from './inverse-attributes.js';
export { maxRevision, parseSerial } from './numbers.js';
export { type Outcome, ok, refused } from './outcome.js';
export {
  type Charset,
  type Form,
  type LineQuestion,
  type LineSearch,
  parseLine,
  type QueryLine,
  type VersionChoice,
} from './parse-line.js';
export { parseSearchFlags } from './parse-search-flags.js';
export { queryMessages } from './query-messages.js';
export type { Mode, Range, Space } from './range.js';
export { addressRange } from './range.js';
export { classify, hasTooManyWords, readSearchTerm, type SearchKey } from './search-key.js';
export { acceptingTypes, candidateTypes, isTooWide } from './searched-types.js';
export { readSourceAliases } from './source-aliases.js';
export {
  type KnownSources,
  readSources,
  resourceSources,
  type SearchedSource,
  sourceNames,
  sourceOf,
} from './sources.js';
export { readTypes } from './types.js';
export { uselessFlagWarnings } from './useless-flags.js';
