import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import {
  type ResendWebhookRequest,
  type WebhookFilter,
  WebhookPayload,
  type WebhookProperties,
  WebhookSignature,
} from '@cadastre/proto/objects';
import type { BodyAllowance } from '../body/budget.js';
import { knownMembers, type Members, readJsonObject, textMember, textsOf } from '../body/json-object.js';
import { HttpError } from '../errors.js';
import { messages } from '../ripe-messages.js';

const propertiesBounds = {
  maxBytes: 16_384,
  members: ['url', 'description', 'source', 'filter', 'payload', 'signature', 'disabled'],
};
const filterMembers = ['type-filter', 'operation', 'maintainer', 'within', 'key'];
const deliveryBounds = { maxBytes: 1_024, members: ['serial', 'after', 'test'] };

/** What events may contain, by the names of the interface. */
export const payloads: Readonly<Record<string, WebhookPayload>> = {
  keys: WebhookPayload.WEBHOOK_PAYLOAD_KEYS,
  text: WebhookPayload.WEBHOOK_PAYLOAD_TEXT,
  object: WebhookPayload.WEBHOOK_PAYLOAD_OBJECT,
};

/** How events may be signed, by the names of Standard Webhooks. */
export const signatures: Readonly<Record<string, WebhookSignature>> = {
  v1: WebhookSignature.WEBHOOK_SIGNATURE_V1,
  v1a: WebhookSignature.WEBHOOK_SIGNATURE_V1A,
};

/** Reads the properties of a webhook. Throws an HttpError: 415 for the media type, 413 for the size, otherwise 400. */
export async function readWebhookProperties(
  stream: Readable,
  headers: IncomingHttpHeaders,
  allowance: BodyAllowance,
): Promise<WebhookProperties> {
  const members = await readJsonObject(stream, headers, allowance, propertiesBounds);
  return {
    url: textMember(members, 'url') ?? '',
    description: textMember(members, 'description') ?? '',
    source: textMember(members, 'source') ?? '',
    filter: filterOf(members.filter ?? {}),
    payload: oneOf(members, 'payload', payloads) ?? WebhookPayload.WEBHOOK_PAYLOAD_KEYS,
    signature: oneOf(members, 'signature', signatures) ?? WebhookSignature.WEBHOOK_SIGNATURE_V1,
    disabled: truthMember(members, 'disabled', false),
  };
}

/** Reads what a webhook is to deliver again: {"serial": n}, {"after": n} or {"test": true}. Throws an HttpError. */
export async function readDeliveryRequest(
  stream: Readable,
  headers: IncomingHttpHeaders,
  allowance: BodyAllowance,
): Promise<NonNullable<ResendWebhookRequest['what']>> {
  const members = await readJsonObject(stream, headers, allowance, deliveryBounds);
  const { serial, after } = members;
  const isTest = truthMember(members, 'test', false);
  const isValid = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;
  if (isTest && serial === undefined && after === undefined) return { $case: 'serial', value: 0n };
  if (!isTest && after === undefined && isValid(serial) && serial !== 0) {
    return { $case: 'serial', value: BigInt(serial as number) };
  }
  if (!isTest && serial === undefined && isValid(after))
    return { $case: 'afterSerial', value: BigInt(after as number) };
  throw new HttpError(400, messages.deliveryExpected());
}

function filterOf(value: unknown): WebhookFilter {
  const members = knownMembers(value, filterMembers);
  return {
    types: textsOf('type-filter', members['type-filter'] ?? []),
    operations: textsOf('operation', members.operation ?? []),
    maintainers: textsOf('maintainer', members.maintainer ?? []),
    within: textsOf('within', members.within ?? []),
    key: textMember(members, 'key') ?? '',
  };
}

function truthMember(members: Members, name: string, unsent: boolean): boolean {
  const value = members[name] ?? unsent;
  if (typeof value === 'boolean') return value;
  throw new HttpError(400, messages.truthExpected(name));
}

function oneOf<T>(members: Members, name: string, values: Readonly<Record<string, T>>): T | undefined {
  const text = textMember(members, name);
  if (text === undefined) return undefined;
  if (Object.hasOwn(values, text)) return values[text];
  throw new HttpError(400, messages.oneOfExpected(name, Object.keys(values)));
}
