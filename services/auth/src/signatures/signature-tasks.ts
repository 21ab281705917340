// The tasks of the threads of `Context.signatures`.
export { checkCms } from './cms-signature.js';
export { checkPgpLayers } from './pgp-signature.js';
