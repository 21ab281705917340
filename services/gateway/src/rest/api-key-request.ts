import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { CreateApiKeyRequest } from '@cadastre/proto/auth';
import type { BodyAllowance } from '../body/budget.js';
import { readJsonObject, textMember } from '../body/json-object.js';
import { HttpError } from '../errors.js';
import { messages } from '../ripe-messages.js';

type ApiKeyRequest = Pick<CreateApiKeyRequest, 'name' | 'expires' | 'maintainer'>;

const bounds = { maxBytes: 4096, members: ['name', 'expires', 'maintainer'] };
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
  const members = await readJsonObject(stream, headers, allowance, bounds);
  return {
    name: textMember(members, 'name') ?? '',
    expires: instantOf(textMember(members, 'expires')),
    maintainer: textMember(members, 'maintainer') ?? '',
  };
}

function instantOf(value: string | undefined): Date | undefined {
  if (value === undefined) return undefined;
  const date = instant.test(value) ? new Date(value) : new Date(Number.NaN);
  if (Number.isNaN(date.getTime())) throw new HttpError(400, messages.instantExpected('expires'));
  return date;
}
