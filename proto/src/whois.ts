/** Contracts of the whois service. */
export * from './gen/cadastre/whois/v1/sets.js';
