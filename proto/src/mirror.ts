/** Contracts of the mirror service. */
export * from './gen/cadastre/mirror/v1/mirror.js';
