// What the threads of `createCertificateReader` do.
export { readPgpKey, signingSubkeysOf } from './pgp-key.js';
export { readX509 } from './x509.js';
