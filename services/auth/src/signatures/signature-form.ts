import { SignatureForm } from '@cadastre/proto/auth';

const pgpStart = /^-----BEGIN PGP SIGNED MESSAGE-----/m;
const pemStart = /^\s*-----BEGIN (CMS|PKCS7)-----/;
const mimeStart = /^(MIME-Version|Content-[A-Za-z-]+):/i;
const mimeType = /^Content-Type:\s*application\/(x-)?pkcs7-mime\b/im;

/** How a text is signed, by its look. A PGP block anywhere counts, so that half-signed texts do not pass as unsigned. */
export function signatureFormOf(octets: Uint8Array): SignatureForm {
  // The tag and the long form of a length: no text in latin-1 that is an update begins so.
  if (octets[0] === 0x30 && octets[1]! >= 0x80) return SignatureForm.SIGNATURE_FORM_CMS;
  const text = Buffer.from(octets).toString('latin1');
  if (pemStart.test(text) || isSmime(text)) return SignatureForm.SIGNATURE_FORM_CMS;
  return pgpStart.test(text) ? SignatureForm.SIGNATURE_FORM_PGP : SignatureForm.SIGNATURE_FORM_UNSPECIFIED;
}

function isSmime(text: string): boolean {
  return mimeStart.test(text) && mimeType.test(text.split(/\r?\n\r?\n/, 1)[0]!);
}

/** The DER form inside PEM or S/MIME armour. */
export function withoutArmour(octets: Uint8Array): Buffer {
  if (octets[0] === 0x30) return Buffer.from(octets);
  const text = Buffer.from(octets).toString('latin1');
  const pem = /-----BEGIN (CMS|PKCS7)-----([A-Za-z0-9+/=\s]*)-----END \1-----\s*$/.exec(text);
  const body = pem ? pem[2]! : text.slice(text.search(/\r?\n\r?\n/));
  return Buffer.from(body, 'base64');
}
