/** Contracts of the auth service. */
export * from './gen/cadastre/auth/v1/accounts.js';
export * from './gen/cadastre/auth/v1/api_keys.js';
export * from './gen/cadastre/auth/v1/authentication.js';
export * from './gen/cadastre/auth/v1/block_list.js';
export * from './gen/cadastre/auth/v1/sessions.js';
export * from './gen/cadastre/auth/v1/signatures.js';
