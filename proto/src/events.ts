/** Contracts of the events service. */
export * from './gen/cadastre/events/v1/mail.js';
