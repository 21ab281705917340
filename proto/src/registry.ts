/** The types that all contracts share: objects and their keys, messages, principals. */
export * from './gen/cadastre/registry/v1/message.js';
export * from './gen/cadastre/registry/v1/object.js';
export * from './gen/cadastre/registry/v1/principal.js';
