/** Searches for the REST interface and port 43: the first page by one call, the rest as it is read. */
export { createOpenSearch, type OpenResult, type OpenSearch, type SearchBounds } from './open-search.js';
