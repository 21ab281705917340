import iconv from 'iconv-lite';
import { Refusal } from '../errors.js';
import { messages } from '../messages.js';
import type { ContentType } from './content-type.js';

/** Names that the decoder knows but that are no character sets of a document. */
const notCharsets: ReadonlySet<string> = new Set([
  'base64',
  'hex',
  'utf7',
  'utf7imap',
  'cesu8',
  'binary',
  'constructor',
]);
const unicodeLabels: ReadonlySet<string> = new Set(['utf8', 'unicode11utf8']);

/**
 * The text of a body. Its character set is told by a byte order mark, else by Content-Type, else by the XML
 * declaration (RFC 7303 section 3), else it is UTF-8. Throws a Refusal (400) for an unknown character set and for
 * bytes that it does not have (decision F4).
 */
export function decodeBody(bytes: Buffer, type: Partial<ContentType>): string {
  const declared = type.charset ?? (type.format === 'xml' ? declaredEncoding(bytes) : undefined);
  const marked = markedCharset(bytes);
  const charset = marked ?? declared ?? 'utf-8';
  const text = decode(bytes, charset);
  if (text === undefined) throw new Refusal(400, messages.undecodable(charset));
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** Byte order marks; that of UTF-32LE begins with the one of UTF-16LE, behind which NUL can mean nothing. */
const marks: readonly (readonly [string, Buffer])[] = [
  ['utf-8', Buffer.from([0xef, 0xbb, 0xbf])],
  ['utf-32le', Buffer.from([0xff, 0xfe, 0, 0])],
  ['utf-32be', Buffer.from([0, 0, 0xfe, 0xff])],
  ['utf-16le', Buffer.from([0xff, 0xfe])],
  ['utf-16be', Buffer.from([0xfe, 0xff])],
];

function markedCharset(bytes: Buffer): string | undefined {
  return marks.find(([, mark]) => bytes.subarray(0, mark.length).equals(mark))?.[0];
}

/** The encoding of an XML declaration; UTF-16 without a mark is recognised by the zero bytes of "<?". */
function declaredEncoding(bytes: Buffer): string | undefined {
  if (bytes[0] === 0 && bytes[1] === 0x3c) return 'utf-16be';
  if (bytes[0] === 0x3c && bytes[1] === 0) return 'utf-16le';
  const head = bytes.subarray(0, 200).toString('latin1');
  return /<\?xml\s[^>]*?\bencoding\s*=\s*["']([^"'>]*)["']/.exec(head)?.[1];
}

function decode(bytes: Buffer, charset: string): string | undefined {
  const label = charset.toLowerCase().replace(/[^a-z0-9]/g, '');
  if (unicodeLabels.has(label)) return decodeUtf8(bytes);
  if (notCharsets.has(label) || !isKnown(charset)) throw new Refusal(400, messages.unknownCharset(charset));
  const text = iconv.decode(bytes, charset);
  return bytes.length % unitOf(label) === 0 && text.isWellFormed() && !text.includes('\uFFFD') ? text : undefined;
}

/** Bytes of a code unit, of which the decoder would leave out a part of one at the end. */
function unitOf(label: string): number {
  if (label.startsWith('utf32') || label.startsWith('ucs4')) return 4;
  return label.startsWith('utf16') || label.startsWith('ucs2') ? 2 : 1;
}

function isKnown(charset: string): boolean {
  try {
    return iconv.encodingExists(charset);
  } catch {
    return false;
  }
}

function decodeUtf8(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
