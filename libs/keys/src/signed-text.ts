/** Limits of a text whose signatures are verified; each signature may be around another one. */
export const maxSignedOctets = 65_536;
export const maxSignedLines = 4_096;
export const maxSignatures = 5;

/** Lines of a clear-signed block (RFC 9580, section 7). */
export const pgpLines = {
  begin: '-----BEGIN PGP SIGNED MESSAGE-----',
  signatureBegin: '-----BEGIN PGP SIGNATURE-----',
  signatureEnd: '-----END PGP SIGNATURE-----',
} as const;

/** Matches a text that has such a block, possibly with other text around it. */
export const pgpBlock = new RegExp(`^${pgpLines.begin}`, 'm');

/** Matches a text that is CMS in its PEM form. */
export const pemCms = /^\s*-----BEGIN (?:CMS|PKCS7)-----/;
