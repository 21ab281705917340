import { inspectPgpSignature, maxSignatures, pemCms, pgpBlock, pgpLines, readArmour } from '@cadastre/keys';
import { SignatureForm } from '@cadastre/proto/auth';

const mimeStart = /^(MIME-Version|Content-[A-Za-z-]+):/i;
const mimeType = /^Content-Type:\s*application\/(x-)?pkcs7-mime\b/im;

/**
 * Returns how a text is signed, without verifying anything. Any PGP block in it counts: a partly signed text must not
 * pass as unsigned.
 */
export function signatureFormOf(octets: Uint8Array): SignatureForm {
  // A DER sequence with a long length. No update in latin-1 begins like this.
  if (octets[0] === 0x30 && octets[1]! >= 0x80) return SignatureForm.SIGNATURE_FORM_CMS;
  const text = latin1(octets);
  if (pemCms.test(text) || isSmime(text)) return SignatureForm.SIGNATURE_FORM_CMS;
  return pgpBlock.test(text) ? SignatureForm.SIGNATURE_FORM_PGP : SignatureForm.SIGNATURE_FORM_UNSPECIFIED;
}

function isSmime(text: string): boolean {
  return mimeStart.test(text) && mimeType.test(text.split(/\r?\n\r?\n/, 1)[0]!);
}

/** The DER form of a CMS text: itself, or the content of its PEM or S/MIME armour. */
export function cmsDerOf(octets: Uint8Array): Buffer {
  if (octets[0] === 0x30) return Buffer.from(octets);
  const text = latin1(octets);
  const pem = /-----BEGIN (CMS|PKCS7)-----([A-Za-z0-9+/=\s]*)-----END \1-----\s*$/.exec(text);
  const body = pem ? pem[2]! : text.slice(text.search(/\r?\n\r?\n/));
  return Buffer.from(body, 'base64');
}

/** One clear-signed block. */
export interface PgpLayer {
  /** The signed octets, with CRLF between lines and nothing after the last. */
  readonly content: Buffer;
  /** The one signature packet, within the bounds of `inspectPgpSignature`. */
  readonly signature: Buffer;
  /** ID of the key that claims to have signed: 16 lower-case hexadecimal digits. */
  readonly issuerKeyId: string;
}

/**
 * Splits nested clear-signed blocks (RFC 9580, section 7), outermost first. `undefined` unless the text is such a block
 * and nothing else, each with exactly one signature. Verifies nothing. Cost: linear.
 */
export function pgpLayersOf(octets: Uint8Array): PgpLayer[] | undefined {
  const layers: PgpLayer[] = [];
  let text = latin1(octets);
  do {
    const layer = outerLayer(text.trim().split(/\r?\n/));
    if (!layer || layers.length === maxSignatures) return undefined;
    layers.push(layer);
    text = latin1(layer.content);
  } while (text.includes(pgpLines.begin));
  return layers;
}

function outerLayer(lines: readonly string[]): PgpLayer | undefined {
  const signatures = lines.filter((line) => line.startsWith(pgpLines.signatureBegin)).length;
  const blank = lines.findIndex((line) => line.trim() === '');
  const isBlock =
    lines[0]?.trimEnd() === pgpLines.begin && lines.at(-1)?.trimEnd() === pgpLines.signatureEnd && signatures === 1;
  if (!isBlock || blank < 0 || !lines.slice(1, blank).every((line) => /^Hash: [A-Za-z0-9, -]+$/.test(line)))
    return undefined;
  const end = lines.findIndex((line) => line.startsWith(pgpLines.signatureBegin));
  const armoured = readArmour(lines.slice(end).join('\n'), 'SIGNATURE');
  const outline = armoured && inspectPgpSignature(armoured.octets);
  if (outline === undefined || blank > end) return undefined;
  const content = lines
    .slice(blank + 1, end)
    .map(signedLine)
    .join('\r\n');
  return {
    content: Buffer.from(content, 'latin1'),
    signature: armoured!.octets,
    issuerKeyId: outline.issuerKeyIds[0] ?? '',
  };
}

/** Removes the dash that escapes a line, and blanks at its end, which no signature covers. */
function signedLine(line: string): string {
  const text = line.startsWith('- ') ? line.slice(2) : line;
  let end = text.length;
  while (end > 0 && ' \t\r'.includes(text[end - 1]!)) end -= 1;
  return text.slice(0, end);
}

/** In latin-1 every octet is one character, whatever the charset of the text. */
function latin1(octets: Uint8Array): string {
  return Buffer.from(octets).toString('latin1');
}
