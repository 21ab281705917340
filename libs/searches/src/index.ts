/** Searches for the REST interface and port 43: one call returns the first page, the others are read on demand. */
export { createOpenSearch, type OpenResult, type OpenSearch, type SearchBounds } from './open-search.js';
