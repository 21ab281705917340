/** Contracts about geolocation and abuse contacts; search serves them. */
export * from './gen/cadastre/geo/v1/abuse_contact.js';
export * from './gen/cadastre/geo/v1/geolocation.js';
export * from './gen/cadastre/geo/v1/resources.js';
