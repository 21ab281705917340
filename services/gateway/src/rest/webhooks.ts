// /webhooks, /webhooks/:id, …/secret, …/attempts, …/deliveries

import {
  filterFromWire,
  filterToWire,
  nameIn,
  webhookPayloads,
  webhookSignatures,
  webhookStates,
} from '@cadastre/changes';
import type {
  ResendWebhookRequest,
  Webhook,
  WebhookAttempt,
  WebhookFilter,
  WebhookProperties,
} from '@cadastre/proto/objects';
import { longCall } from '../backends/call-options.js';
import { knownMembers, type Members, readJsonObject, textMember, textsOf } from '../body/json-object.js';
import type { SentBody } from '../body/read.js';
import { HttpError } from '../errors.js';
import { jsonContent } from '../openapi/content.js';
import { jsonReply, type RouteReply } from '../reply/send.js';
import { messages } from '../ripe-messages.js';
import type { Resource, Route, RouteRequest } from '../route.js';
import { accountOf } from './caller-account.js';

type WebhookParameters = Record<'id', string>;
type WebhookRequest = RouteRequest<WebhookParameters>;

const none = { 501: 'This registry has no webhooks.' };
const ofAccount = { tag: 'Account', query: {}, credentials: 'required', refusals: none } as const;
const ofWebhook = {
  ...ofAccount,
  refusals: { ...none, 404: 'The account of the caller does not have this webhook.' },
} as const;
const stopped = 'The operator has disabled a webhook with this receiver.';
const properties = {
  doc: 'The properties of the webhook.',
  content: jsonContent('WebhookRequest', { url: 'https://hooks.example.net/registry', source: 'TEST' }),
};
const oneWebhook = { doc: 'The webhook.', content: jsonContent('WebhookDocument') };
const withSecret = { doc: 'The webhook and its secret.', content: jsonContent('WebhookWithSecret') };

const webhookList: Route = {
  ...ofAccount,
  id: 'listWebhooks',
  summary: 'List my webhooks',
  doc: "Returns the webhooks of the caller's account, oldest first.",
  success: { doc: 'The webhooks.', content: jsonContent('WebhookList') },
  handler: async (context, request) => {
    const { webhooks } = await context.webhooks.listWebhooks(accountOf(request), longCall(context, request));
    return jsonReply({ webhooks: webhooks.map(shown) });
  },
};

const webhookCreation: Route = {
  ...ofAccount,
  id: 'createWebhook',
  summary: 'Create a webhook',
  doc: 'The registry will send the changes of a source to a URL, as CloudEvents with a signature of Standard Webhooks. First the URL must accept a test event. Only this response, and that to a request for a new secret, contain the secret.',
  refusals: { ...none, 409: stopped },
  body: properties,
  success: withSecret,
  handler: async (context, request) => {
    const account = accountOf(request);
    const wanted = await readWebhookProperties(request);
    return secretReply(
      await context.webhooks.createWebhook({ ...account, properties: wanted }, longCall(context, request)),
    );
  },
};

const webhookLookup: Route<WebhookParameters> = {
  ...ofWebhook,
  id: 'getWebhook',
  summary: 'Get one of my webhooks',
  doc: 'Returns a webhook: its properties, its state, and the serial that it has reached.',
  success: oneWebhook,
  handler: async (context, request) => {
    return webhookReply(await context.webhooks.getWebhook(nameOf(request), longCall(context, request)));
  },
};

const webhookUpdate: Route<WebhookParameters> = {
  ...ofWebhook,
  id: 'updateWebhook',
  summary: 'Change a webhook',
  doc: 'Replaces the properties; absent ones get their defaults. The source and the signature cannot change. A changed URL, and that of a disabled webhook, must accept a test event first. The webhook continues after its serial.',
  refusals: { ...ofWebhook.refusals, 409: stopped },
  body: properties,
  success: oneWebhook,
  handler: async (context, request) => {
    const name = nameOf(request);
    const wanted = await readWebhookProperties(request);
    return webhookReply(
      await context.webhooks.updateWebhook({ ...name, properties: wanted }, longCall(context, request)),
    );
  },
};

const webhookDeletion: Route<WebhookParameters> = {
  ...ofWebhook,
  id: 'deleteWebhook',
  summary: 'Delete a webhook',
  doc: 'Deletes a webhook with the list of its attempts.',
  refusals: { ...ofWebhook.refusals, 409: stopped },
  success: { doc: 'The webhook is deleted.', content: jsonContent('DeletedWebhook') },
  handler: async (context, request) => {
    await context.webhooks.deleteWebhook(nameOf(request), longCall(context, request));
    return jsonReply({});
  },
};

const secretRotation: Route<WebhookParameters> = {
  ...ofWebhook,
  id: 'rotateWebhookSecret',
  summary: 'Rotate the secret of a webhook',
  doc: 'For 24 hours the previous secret signs too: each event has both signatures. Another request ends that.',
  success: withSecret,
  handler: async (context, request) => {
    return secretReply(await context.webhooks.rotateWebhookSecret(nameOf(request), longCall(context, request)));
  },
};

const attemptList: Route<WebhookParameters> = {
  ...ofWebhook,
  id: 'listWebhookAttempts',
  summary: 'List the attempts of a webhook',
  doc: 'Returns the newest attempts to deliver an event, newest first, at most 100.',
  success: { doc: 'The attempts.', content: jsonContent('WebhookAttemptList') },
  handler: async (context, request) => {
    const { attempts } = await context.webhooks.listWebhookAttempts(nameOf(request), longCall(context, request));
    return jsonReply({ attempts: attempts.map(shownAttempt) });
  },
};

const redelivery: Route<WebhookParameters> = {
  ...ofWebhook,
  id: 'deliverAgain',
  summary: 'Deliver changes again, or a test event',
  doc: 'Delivers the change with a `serial` once more, outside of the order; every change `after` a serial, in order; or a `test` event. The list of attempts shows the outcome.',
  body: { doc: 'What to deliver.', content: jsonContent('WebhookDeliveryRequest', { test: true }) },
  success: oneWebhook,
  handler: async (context, request) => {
    const name = nameOf(request);
    const what = await readDeliveryRequest(request);
    return webhookReply(await context.webhooks.resendWebhook({ ...name, what }, longCall(context, request)));
  },
};

const aboutAccounts = { format: 'json', isSecret: true } as const;

/** The webhooks of the caller's account. */
export const webhookResources: readonly Resource[] = [
  { name: 'webhooks', url: '/webhooks', ...aboutAccounts, GET: webhookList, POST: webhookCreation },
  {
    name: 'webhook',
    url: '/webhooks/:id',
    ...aboutAccounts,
    GET: webhookLookup,
    PUT: webhookUpdate,
    DELETE: webhookDeletion,
  },
  { name: 'webhook-secret', url: '/webhooks/:id/secret', ...aboutAccounts, POST: secretRotation },
  { name: 'webhook-attempts', url: '/webhooks/:id/attempts', ...aboutAccounts, GET: attemptList },
  { name: 'webhook-deliveries', url: '/webhooks/:id/deliveries', ...aboutAccounts, POST: redelivery },
];

function nameOf(request: WebhookRequest): { id: string; accountId: string } {
  return { id: request.params.id, accountId: accountOf(request).accountId };
}

function webhookReply({ webhook }: { webhook?: Webhook | undefined }): RouteReply {
  return jsonReply({ webhook: shown(webhook) });
}

function secretReply({ webhook, secret }: { webhook?: Webhook | undefined; secret: string }): RouteReply {
  return jsonReply({ webhook: shown(webhook), secret: secret || undefined });
}

/** JSON omits members that are undefined. */
function shown(webhook: Webhook | undefined): object {
  if (webhook?.properties === undefined) throw new HttpError(500, messages.unexpected());
  const { id, state, reason, created, serial, failures, failingSince, due, publicKey } = webhook;
  const { url, description, source, filter, payload, signature } = webhook.properties;
  return {
    ...{ id, url, description, source },
    filter: filterFromWire(filter),
    payload: nameIn(webhookPayloads, payload, 'keys'),
    signature: nameIn(webhookSignatures, signature, 'v1'),
    state: nameIn(webhookStates, state, 'disabled'),
    reason: reason || undefined,
    created,
    serial: Number(serial),
    failures,
    'failing-since': failingSince,
    'next-attempt': due,
    'public-key': publicKey || undefined,
  };
}

function shownAttempt({ eventId, serial, instant, status, durationMs, error, response }: WebhookAttempt): object {
  return {
    event: eventId,
    serial: serial > 0n ? Number(serial) : undefined,
    time: instant,
    status: status || undefined,
    milliseconds: durationMs,
    error: error || undefined,
    response: response || undefined,
  };
}

const propertiesBounds = {
  maxBytes: 16_384,
  members: ['url', 'description', 'source', 'filter', 'payload', 'signature', 'disabled'],
};
const filterMembers = ['type-filter', 'operation', 'maintainer', 'within', 'key'];
const deliveryBounds = { maxBytes: 1_024, members: ['serial', 'after', 'test'] };

/** Reads the properties of a webhook. Throws an HttpError: 415 for the media type, 413 for the size, otherwise 400. */
async function readWebhookProperties(request: SentBody): Promise<WebhookProperties> {
  const members = await readJsonObject(request, propertiesBounds);
  return {
    url: textMember(members, 'url') ?? '',
    description: textMember(members, 'description') ?? '',
    source: textMember(members, 'source') ?? '',
    filter: filterOf(members.filter ?? {}),
    payload: oneOf(members, 'payload', webhookPayloads) ?? webhookPayloads.keys,
    signature: oneOf(members, 'signature', webhookSignatures) ?? webhookSignatures.v1,
    disabled: truthMember(members, 'disabled'),
  };
}

/** Reads a request to deliver again: {"serial": n}, {"after": n} or {"test": true}. Throws an HttpError. */
async function readDeliveryRequest(request: SentBody): Promise<NonNullable<ResendWebhookRequest['what']>> {
  const members = await readJsonObject(request, deliveryBounds);
  const { serial, after } = members;
  const isTest = truthMember(members, 'test');
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
  const texts = (name: string) => textsOf(name, members[name] ?? []);
  return filterToWire({
    'type-filter': texts('type-filter'),
    operation: texts('operation'),
    maintainer: texts('maintainer'),
    within: texts('within'),
    key: textMember(members, 'key') ?? '',
  });
}

function truthMember(members: Members, name: string): boolean {
  const value = members[name] ?? false;
  if (typeof value === 'boolean') return value;
  throw new HttpError(400, messages.truthExpected(name));
}

function oneOf<T>(members: Members, name: string, values: Readonly<Record<string, T>>): T | undefined {
  const text = textMember(members, name);
  if (text === undefined) return undefined;
  if (Object.hasOwn(values, text)) return values[text];
  throw new HttpError(400, messages.oneOfExpected(name, Object.keys(values)));
}
