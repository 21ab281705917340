import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { CreateApiKeyRequest } from '@cadastre/proto/auth';
import { HttpError } from '../errors.js';
import { messages } from '../messages.js';
import type { BodyAllowance } from './budget.js';
import { decodeBody, readContentType } from './content-type.js';
import { readBody } from './read.js';

type ApiKeyRequest = Pick<CreateApiKeyRequest, 'name' | 'expires' | 'maintainer'>;

const mostBytes = 4096;
const memberNames: readonly string[] = ['name', 'expires', 'maintainer'];
const instant = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/;

/**
 * Reads a request for an API key: a JSON object with "name" and, optionally, "expires" (ISO 8601: an instant with its
 * offset, or a day in UTC) and "maintainer". Throws an HttpError: 415 for the media type, 413 for the size, otherwise
 * 400.
 */
export async function readApiKeyRequest(
  stream: Readable,
  headers: IncomingHttpHeaders,
  allowance: BodyAllowance,
): Promise<ApiKeyRequest> {
  const type = readContentType(headers['content-type']);
  if (type.format !== 'json') throw new HttpError(415, messages.jsonExpected());
  const bytes = await readBody(stream, headers, { ...allowance, most: mostBytes });
  const members = jsonObject(decodeBody(bytes, type));
  const unknown = Object.keys(members).find((name) => !memberNames.includes(name));
  if (unknown !== undefined) throw new HttpError(400, messages.unknownMember(unknown));
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
    throw new HttpError(400, messages.jsonObjectExpected());
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new HttpError(400, messages.jsonObjectExpected());
  }
  return value as Record<string, unknown>;
}

function text(name: string, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw new HttpError(400, messages.textExpected(name));
  return value;
}

function instantOf(value: string | undefined): Date | undefined {
  if (value === undefined) return undefined;
  const date = instant.test(value) ? new Date(value) : new Date(Number.NaN);
  if (Number.isNaN(date.getTime())) throw new HttpError(400, messages.instantExpected('expires'));
  return date;
}
