import { HttpError } from '../errors.js';
import { messages } from '../ripe-messages.js';
import { requireNoNul } from './content-type.js';

/** The fields of a form, with undecoded values: the form does not determine their character set. */
export type FormFields = ReadonlyMap<string, Buffer>;

const maxFields = 100;
/** Bytes of the headers of one part. */
const maxHeaderBytes = 4096;

/**
 * Parses `application/x-www-form-urlencoded`. The first of several fields with one name counts. Throws an HttpError
 * (400) for too many fields, and for a form that is not in ASCII, but in UTF-16.
 */
export function parseUrlencodedForm(bytes: Buffer): FormFields {
  const text = bytes.toString('latin1');
  requireNoNul(text, 'us-ascii');
  const parts = text.split('&', maxFields + 1);
  if (parts.length > maxFields) throw new HttpError(400, messages.invalidForm());
  const entries = parts.map((part): [string, Buffer] => {
    const equals = part.includes('=') ? part.indexOf('=') : part.length;
    return [octetsOf(part.slice(0, equals)).toString('latin1'), octetsOf(part.slice(equals + 1))];
  });
  return new Map(entries.reverse());
}

const plus = 0x2b;
const percent = 0x25;
const space = 0x20;

/** Decodes text of a form (WHATWG URL section 5.1); a percent sign without two digits represents itself. */
function octetsOf(encoded: string): Buffer {
  const octets = Buffer.from(encoded, 'latin1');
  let length = 0;
  for (let at = 0; at < octets.length; at++) {
    const octet = octets[at]!;
    const decoded = octet === percent ? digitOf(octets[at + 1]) * 16 + digitOf(octets[at + 2]) : Number.NaN;
    if (!Number.isNaN(decoded)) at += 2;
    octets[length++] = Number.isNaN(decoded) ? (octet === plus ? space : octet) : decoded;
  }
  return octets.subarray(0, length);
}

/** The value of a hexadecimal digit; NaN for any other character. */
function digitOf(code = 0): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x61 + 10 : Number.NaN;
}

/**
 * Parses `multipart/form-data`; `contentType` is the header with the boundary. The first of several fields with one
 * name counts. Throws an HttpError (400) for a broken form, and for too many parts or too long headers.
 */
export async function parseMultipartForm(bytes: Buffer, contentType: string): Promise<FormFields> {
  requireFewParts(bytes, contentType);
  try {
    const form = await new Response(bytes, { headers: { 'content-type': contentType } }).formData();
    const entries = [...form].map(async ([name, value]): Promise<[string, Buffer]> => {
      return [name, typeof value === 'string' ? Buffer.from(value) : Buffer.from(await value.arrayBuffer())];
    });
    return new Map((await Promise.all(entries)).reverse());
  } catch {
    throw new HttpError(400, messages.invalidForm());
  }
}

/** Limits parts and headers, because the platform's parser does not. */
function requireFewParts(bytes: Buffer, contentType: string): void {
  const boundary = /;\s*boundary\s*=\s*(?:"([^"]+)"|([^";\s]+))/i.exec(contentType);
  const delimiter = `--${boundary?.[1] ?? boundary?.[2] ?? ''}`;
  let parts = 0;
  for (let at = bytes.indexOf(delimiter); at >= 0; at = bytes.indexOf(delimiter, at + delimiter.length)) {
    const end = bytes.indexOf('\r\n\r\n', at);
    const headerBytes = (end < 0 ? bytes.length : end) - at;
    if (++parts > maxFields || headerBytes > maxHeaderBytes) throw new HttpError(400, messages.invalidForm());
  }
}
