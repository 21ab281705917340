/** Checks untrusted keys, certificates and signatures against bounds before a library computes with them. */
export { type DerBound, exceededDerBound } from './der.js';
export { type Armoured, maxMaterialLength, readArmour } from './pgp-armour.js';
export { inspectPgpKey, type PgpKeyInspection, type PgpKeyOutline } from './pgp-key.js';
export { inspectPgpSignature } from './pgp-signature.js';
export { maxSignatures, maxSignedLines, maxSignedOctets, pemCms, pgpBlock, pgpLines } from './signed-text.js';
