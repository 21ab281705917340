import iconv from 'iconv-lite';
import { HttpError } from '../errors.js';
import { messages } from '../ripe-messages.js';

/** The Content-Type of a whois-resources document. */
interface ContentType {
  readonly format: 'xml' | 'json';
  /** As sent; absent when the header has none. */
  readonly charset: string | undefined;
}

const formats: ReadonlyMap<string, ContentType['format']> = new Map([
  ['application/xml', 'xml'],
  ['application/json', 'json'],
]);

/** Throws an HttpError (415) when the header is missing or its media type is not supported (decision F4). */
export function readContentType(header: string | undefined): ContentType {
  if (header === undefined || header.trim() === '') throw new HttpError(415, messages.contentTypeMissing());
  const { type, charset } = mediaTypeOf(header);
  const format = formats.get(type.toLowerCase());
  if (format === undefined) throw new HttpError(415, messages.unsupportedContentType(type));
  return { format, charset };
}

/** The media type of a Content-Type header and its character set, both as sent. */
export function mediaTypeOf(header: string): { type: string; charset: string | undefined } {
  const [type = '', ...parameters] = header.split(';').map((part) => part.trim());
  const charset = parameters.map((parameter) => /^charset\s*=\s*"?([^"]*)"?$/i.exec(parameter)?.[1]).find(Boolean);
  return { type, charset };
}

/**
 * Decodes the text of a body. A byte order mark determines the character set, else Content-Type, else the XML
 * declaration (RFC 7303 section 3); the default is UTF-8. Throws an HttpError (400) for an unknown character set, for
 * bytes that are invalid in it, and for a body that is in UTF-16 or UTF-32 against its Content-Type (decision F4).
 */
export function decodeBody(bytes: Buffer, type: Partial<ContentType>): string {
  const declared = type.charset ?? (type.format === 'xml' ? declaredEncoding(bytes) : undefined);
  const marked = markedCharset(bytes);
  if (marked && type.charset && unitOf(marked) > unitOf(type.charset)) {
    throw new HttpError(400, messages.otherCharset(type.charset));
  }
  const charset = marked ?? declared ?? 'utf-8';
  const text = decode(bytes, charset);
  if (text === undefined) throw new HttpError(400, messages.undecodable(charset));
  requireNoNul(text, charset);
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/**
 * Throws an HttpError (400) for NUL characters: UTF-16 and UTF-32 have such bytes, but a text has no such characters.
 */
export function requireNoNul(text: string, charset: string): void {
  if (text.includes('\0')) throw new HttpError(400, messages.otherCharset(charset));
}

/** The mark of UTF-32LE precedes that of UTF-16LE, with which it begins. */
const byteOrderMarks: readonly (readonly [string, Buffer])[] = [
  ['utf-8', Buffer.from([0xef, 0xbb, 0xbf])],
  ['utf-32le', Buffer.from([0xff, 0xfe, 0, 0])],
  ['utf-32be', Buffer.from([0, 0, 0xfe, 0xff])],
  ['utf-16le', Buffer.from([0xff, 0xfe])],
  ['utf-16be', Buffer.from([0xfe, 0xff])],
];

function markedCharset(bytes: Buffer): string | undefined {
  return byteOrderMarks.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte))?.[0];
}

/** The encoding of an XML declaration. Recognises UTF-16 without a mark by the zero byte beside "<". */
function declaredEncoding(bytes: Buffer): string | undefined {
  if (bytes[0] === 0 && bytes[1] === 0x3c) return 'utf-16be';
  if (bytes[0] === 0x3c && bytes[1] === 0) return 'utf-16le';
  const head = bytes.subarray(0, 200).toString('latin1');
  return /<\?xml\s[^>]*?\bencoding\s*=\s*["']([^"'>]*)["']/.exec(head)?.[1];
}

/** Encodings of iconv-lite that are not character sets of a document. */
const notCharsets: ReadonlySet<string> = new Set([
  'base64',
  'hex',
  'utf7',
  'utf7imap',
  'cesu8',
  'binary',
  'constructor',
]);
const utf8Labels: ReadonlySet<string> = new Set(['utf8', 'unicode11utf8']);

function decode(bytes: Buffer, charset: string): string | undefined {
  const label = labelOf(charset);
  if (utf8Labels.has(label)) return decodeUtf8(bytes);
  if (notCharsets.has(label) || !isKnown(charset)) throw new HttpError(400, messages.unknownCharset(charset));
  const text = iconv.decode(bytes, charset);
  return bytes.length % unitOf(charset) === 0 && text.isWellFormed() && !text.includes('\uFFFD') ? text : undefined;
}

function labelOf(charset: string): string {
  return charset.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** Bytes of a code unit; iconv-lite drops an incomplete one at the end. */
function unitOf(charset: string): number {
  const label = labelOf(charset);
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

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decodeUtf8(bytes: Buffer): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}
