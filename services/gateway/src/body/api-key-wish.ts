import type { IncomingMessage } from 'node:http';
import type { CreateApiKeyRequest } from '@cadastre/proto/auth';
import { Refusal } from '../errors.js';
import { messages } from '../messages.js';
import { decodeBody } from './charset.js';
import { readContentType } from './content-type.js';
import { readBody } from './read.js';

type Wish = Pick<CreateApiKeyRequest, 'name' | 'expires' | 'maintainer'>;

const mostBytes = 4096;
const memberNames: readonly string[] = ['name', 'expires', 'maintainer'];
const instant = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/;

/**
 * Reads the body of a wish for an API key: a JSON object with "name" and, if wanted, "expires" (ISO 8601: an instant
 * with its offset, or a day in UTC) and "maintainer". Throws a Refusal: 415, 413, or 400 for everything else.
 */
export async function readApiKeyWish(request: IncomingMessage): Promise<Wish> {
  const type = readContentType(request.headers['content-type']);
  if (type.format !== 'json') throw new Refusal(415, messages.jsonExpected());
  const members = jsonObject(decodeBody(await readBody(request, mostBytes), type));
  const unknown = Object.keys(members).find((name) => !memberNames.includes(name));
  if (unknown !== undefined) throw new Refusal(400, messages.unknownMember(unknown));
  const { name, expires, maintainer } = members;
  return {
    name: text('name', name) ?? '',
    expires: instantOf(text('expires', expires)),
    maintainer: text('maintainer', maintainer) ?? '',
  };
}

function jsonObject(body: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    throw new Refusal(400, messages.jsonObjectExpected());
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Refusal(400, messages.jsonObjectExpected());
  }
  return value as Record<string, unknown>;
}

function text(name: string, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw new Refusal(400, messages.textExpected(name));
  return value;
}

function instantOf(value: string | undefined): Date | undefined {
  if (value === undefined) return undefined;
  const date = instant.test(value) ? new Date(value) : new Date(Number.NaN);
  if (Number.isNaN(date.getTime())) throw new Refusal(400, messages.instantExpected('expires'));
  return date;
}
