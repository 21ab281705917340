// What the threads of `Context.signatures` do.
export { checkCms } from './cms-signature.js';
export { checkPgpLayers } from './pgp-signature.js';
