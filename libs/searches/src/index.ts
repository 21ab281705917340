/**
 * Searches and lookups for the REST interface and port 43. One call returns the first page of a search, the others are
 * read on demand; lookups share calls.
 */
export { createLookupBatcher, type LookUp } from './lookup-batcher.js';
export { createOpenSearch, type OpenResult, type OpenSearch, type SearchBounds } from './open-search.js';
