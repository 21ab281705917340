import type { IncomingMessage } from 'node:http';
import { mediaTypeOf } from '../body/content-type.js';
import { readBody } from '../body/read.js';
import { Refusal } from '../errors.js';
import { messages } from '../messages.js';
import { isSecretName } from '../secret-parameters.js';

/** The updates of a request as they came, perhaps signed. */
export interface CarriedText {
  readonly bytes: Buffer;
  /** As the client says; absent when it does not. */
  readonly charset: string | undefined;
  /** Whether it can be nothing but CMS in DER or PEM form. */
  readonly isCms: boolean;
  /** Whether every object must be a new one. */
  readonly onlyNew: boolean;
}

type Fields = ReadonlyMap<string, Buffer>;

const cmsTypes: ReadonlySet<string> = new Set([
  'application/cms',
  'application/pkcs7-mime',
  'application/x-pkcs7-mime',
]);

/**
 * Reads the body: the text itself, CMS, or a form with the fields DATA and, if wanted, NEW. Throws a Refusal: 415 for
 * the media type or its compression, 413 for the size, 400 for a form without DATA or with a field that is not supported.
 */
export async function readCarriedText(request: IncomingMessage, limit: number): Promise<CarriedText> {
  const header = request.headers['content-type'] ?? '';
  const { type: sent, charset } = mediaTypeOf(header);
  const type = sent.toLowerCase();
  const isCms = cmsTypes.has(type);
  const isForm = type === 'application/x-www-form-urlencoded' || type === 'multipart/form-data';
  if (!isCms && !isForm && type !== 'text/plain') throw new Refusal(415, messages.unsupportedUpdateType(sent));
  const bytes = await readBody(request, limit);
  const carried = { charset, isCms, onlyNew: false };
  if (!isForm) return checked({ ...carried, bytes });
  const fields = type === 'multipart/form-data' ? await multipartFields(bytes, header) : formFields(bytes);
  return checked({ ...carried, bytes: dataOf(fields), onlyNew: isOn(fields.get('NEW')) });
}

function checked(carried: CarriedText): CarriedText {
  if (carried.bytes.length === 0) throw new Refusal(400, messages.dataMissing());
  return carried;
}

function dataOf(fields: Fields): Buffer {
  const secret = [...fields.keys()].find(isSecretName);
  if (secret !== undefined) throw new Refusal(400, messages.secretParameter(secret.toLowerCase()));
  if (fields.has('DIFF')) throw new Refusal(400, messages.diffNotSupported());
  return fields.get('DATA') ?? Buffer.alloc(0);
}

function isOn(value: Buffer | undefined): boolean {
  return value !== undefined && value.toString('latin1').toLowerCase() !== 'no';
}

/** The octets of the values are kept: their character set is that of the request. Of several the first one counts. */
function formFields(bytes: Buffer): Fields {
  const parts = bytes.toString('latin1').split('&');
  const entries = parts.map((part): [string, Buffer] => {
    const equals = part.includes('=') ? part.indexOf('=') : part.length;
    return [octetsOf(part.slice(0, equals)).toString('latin1'), octetsOf(part.slice(equals + 1))];
  });
  return new Map(entries.reverse());
}

function octetsOf(encoded: string): Buffer {
  const hex = /%([0-9a-f]{2})/gi;
  const text = encoded
    .replaceAll('+', ' ')
    .replace(hex, (_, digits) => String.fromCharCode(Number.parseInt(digits, 16)));
  return Buffer.from(text, 'latin1');
}

async function multipartFields(bytes: Buffer, header: string): Promise<Fields> {
  try {
    const form = await new Response(bytes, { headers: { 'content-type': header } }).formData();
    const entries = [...form].map(async ([name, value]): Promise<[string, Buffer]> => {
      return [name, typeof value === 'string' ? Buffer.from(value) : Buffer.from(await value.arrayBuffer())];
    });
    return new Map((await Promise.all(entries)).reverse());
  } catch {
    throw new Refusal(400, messages.invalidForm());
  }
}
