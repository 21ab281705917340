/** Contracts of the search service. */
export * from './gen/cadastre/search/v1/roa.js';
export * from './gen/cadastre/search/v1/search.js';
