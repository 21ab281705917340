import { HttpError } from '../errors.js';
import { messages } from '../ripe-messages.js';
import { decodeBody, readContentType } from './content-type.js';
import { readBody, type SentBody } from './read.js';

export type Members = Readonly<Record<string, unknown>>;

/** The limits of a body. */
interface JsonObjectBounds {
  readonly maxBytes: number;
  readonly members: readonly string[];
}

/** Reads a small JSON object. Throws an HttpError: 415 for the media type, 413 for the size, otherwise 400. */
export async function readJsonObject(request: SentBody, { maxBytes, members }: JsonObjectBounds): Promise<Members> {
  const type = readContentType(request.headers['content-type']);
  if (type.format !== 'json') throw new HttpError(415, messages.jsonExpected());
  const bytes = await readBody(request, maxBytes);
  return knownMembers(parsed(decodeBody(bytes, type)), members);
}

/** The members of a JSON object. Throws an HttpError (400) for another value, and for unknown members. */
export function knownMembers(value: unknown, known: readonly string[]): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new HttpError(400, messages.jsonObjectExpected());
  }
  const unknown = Object.keys(value).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new HttpError(400, messages.unknownMember(unknown));
  return value as Members;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new HttpError(400, messages.jsonObjectExpected());
  }
}

/** A list of texts. Throws an HttpError (400). */
export function textsOf(name: string, value: unknown): string[] {
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value;
  throw new HttpError(400, messages.textsExpected(name));
}

/** A text; undefined when it is absent or null. Throws an HttpError (400). */
export function textMember(members: Members, name: string): string | undefined {
  const value = members[name] ?? undefined;
  if (value === undefined || typeof value === 'string') return value;
  throw new HttpError(400, messages.textExpected(name));
}
