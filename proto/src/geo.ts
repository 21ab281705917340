/** Contracts of the geo service. */
export * from './gen/cadastre/geo/v1/abuse_contact.js';
export * from './gen/cadastre/geo/v1/geolocation.js';
export * from './gen/cadastre/geo/v1/resources.js';
