/** Asks the search service: the searches of many clients in few calls. */
export { createSearchBatcher, type OpenResult, type OpenSearch, type SearchBounds } from './search-batcher.js';
