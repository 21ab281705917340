import { gzipSync } from 'node:zlib';
import type { Sent } from './send.js';

/** Attributes of an object: name and value, in order. */
export type Attributes = readonly (readonly [name: string, value: string])[];

const boundary = 'x';

/** An object as JSON: the document of a write. */
export function json(...objects: Attributes[]): string {
  const documents = objects.map((attributes) => ({
    attributes: { attribute: attributes.map(([name, value]) => ({ name, value })) },
  }));
  return JSON.stringify({ objects: { object: documents } });
}

/** The same in XML. */
export function xml(...objects: Attributes[]): string {
  const documents = objects.map((attributes) => {
    const elements = attributes.map(
      ([name, value]) => `<attribute name="${escaped(name)}" value="${escaped(value)}"/>`,
    );
    return `<object><attributes>${elements.join('')}</attributes></object>`;
  });
  return `<whois-resources><objects>${documents.join('')}</objects></whois-resources>`;
}

/** The same as RPSL text, with an empty line between objects. */
export function text(...objects: Attributes[]): string {
  return objects.map((attributes) => attributes.map(([name, value]) => `${name}: ${value}\n`).join('')).join('\n');
}

/** The attributes of a text without continuation lines. */
export function attributesOf(object: string): Attributes {
  return object
    .trimEnd()
    .split('\n')
    .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()] as const);
}

export const post = (
  path: string,
  type: string,
  body: string | Buffer,
  headers: Record<string, string> = {},
): Sent => ({
  method: 'POST',
  target: path,
  headers: { 'content-type': type, accept: 'application/json', ...headers },
  body,
});

export const get = (target: string, headers: Record<string, string> = {}): Sent => ({
  method: 'GET',
  target,
  headers: { accept: 'application/json', ...headers },
});

/** A URL-encoded form. */
export const form = (data: string): string => `DATA=${encodeURIComponent(data)}`;

/** A multipart form. */
export const multipart = (data: string): string =>
  `--${boundary}\r\nContent-Disposition: form-data; name="DATA"\r\n\r\n${data}\r\n--${boundary}--\r\n`;

export const multipartType = `multipart/form-data; boundary=${boundary}`;

/** A compressed body. */
export const gzipped = (body: string | Buffer): Buffer => gzipSync(body);

let compressedZeros: Buffer | undefined;

/** Two hundred megabytes, compressed: made once, as that takes a second. */
export function bomb(): Buffer {
  compressedZeros ??= gzipped(Buffer.alloc(200 * 1024 * 1024));
  return compressedZeros;
}

/** A text repeated up to a length. */
export function repeated(piece: string, length: number): string {
  return piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
}

function escaped(value: string): string {
  return value.replace(/[<&"\n]/g, (character) => `&#${character.charCodeAt(0)};`);
}
