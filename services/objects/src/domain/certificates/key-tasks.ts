// The tasks of the threads of `createCertificateReader`.
export { readPgpKey, signingSubkeysOf } from './pgp-key.js';
export { readX509 } from './x509.js';
