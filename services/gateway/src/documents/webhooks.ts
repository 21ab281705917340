import { count, instant, list, object, oneOf, ref, type Schema, text, truth } from '@cadastre/rdap/schema';

const url = text('Where events go: https, port 443 or 8443, a public host.', {
  examples: ['https://hooks.example.net/registry'],
  maxLength: 2000,
});
const description = text('A note of its owner.', { maxLength: 200 });
const source = text('The source whose changes it delivers.', { examples: ['TEST'] });
const payload = oneOf(
  'The content of events: `keys`, the names of the change; `object`, also the object as a filtered lookup shows it; `text`, also its text. There is neither after a deletion, for a state that has changed again, for a person and a role that is no abuse contact, and for an object of more than 64 KiB.',
  ['keys', 'text', 'object'],
);
const signature = oneOf('How events are signed: `v1`, HMAC-SHA256 with the secret; `v1a`, Ed25519.', ['v1', 'v1a']);
const values = list({ type: 'string' }, { maxItems: 20 });
const serial = count('The serial of the change.', 1);

/** The documents about webhooks. */
export const webhookSchemas: Readonly<Record<string, Schema>> = {
  WebhookFilter: object(
    'Which changes a webhook delivers: those that match every part with values. The parts are the parameters of a change stream.',
    {},
    {
      'type-filter': { ...values, description: 'Only objects of these types.' },
      operation: { ...values, description: 'Only these operations: `created`, `modified`, `deleted`.' },
      maintainer: {
        ...values,
        description: 'Only objects with one of these mntners in `mnt-by`, before the change or after it.',
      },
      within: { ...values, description: 'Only objects whose addresses are inside one of these prefixes or ranges.' },
      key: text('Only objects with this primary key; `*` matches any text.'),
    },
  ),
  WebhookRequest: object(
    'The properties of a webhook.',
    { url, source },
    {
      description,
      filter: ref('WebhookFilter'),
      payload,
      signature,
      disabled: truth('Whether it delivers nothing until it is enabled again.'),
    },
  ),
  Webhook: object(
    'A webhook, without its secret.',
    {
      id: text('Identifier of the webhook.'),
      url,
      description,
      source,
      filter: ref('WebhookFilter'),
      payload,
      signature,
      state: oneOf('`unconfirmed`: its URL has not accepted a test event yet; `active`; or `disabled`.', [
        'unconfirmed',
        'active',
        'disabled',
      ]),
      created: instant('Time of creation.'),
      serial: count('Every change up to this serial was delivered, was given up, or does not match the filter.'),
      failures: count('Number of failed attempts to deliver the next event.'),
    },
    {
      reason: text('Why it is disabled.'),
      'failing-since': instant('Since when every attempt has failed.'),
      'next-attempt': instant('Time of the next attempt, after a failure.'),
      'public-key': text('With `v1a`: the key that verifies the events, `whpk_` and Base64.'),
    },
  ),
  WebhookList: object('The webhooks of an account, oldest first.', { webhooks: list(ref('Webhook')) }),
  WebhookDocument: object('A webhook.', { webhook: ref('Webhook') }),
  WebhookWithSecret: object(
    'A webhook and its secret.',
    { webhook: ref('Webhook') },
    { secret: text('With `v1`: the secret, `whsec_` and Base64. Only this response contains it.') },
  ),
  DeletedWebhook: object('The webhook is deleted.', {}),
  WebhookDeliveryRequest: object(
    'What to deliver: exactly one member.',
    {},
    {
      serial,
      after: count('Every change after this serial, in order: the webhook returns to it, or skips to it.'),
      test: truth('A test event.'),
    },
  ),
  WebhookAttempt: object(
    'An attempt to deliver an event.',
    {
      event: text('Identifier of the event, the same in each attempt.', { examples: ['TEST-4711-t87v6t'] }),
      time: instant('Time of the attempt.'),
      milliseconds: count('Duration of the attempt.'),
    },
    {
      serial,
      status: count('Status of the response; absent without one.'),
      error: text('Why it failed; absent after a success.'),
      response: text('The beginning of the response.'),
    },
  ),
  WebhookAttemptList: object('The newest attempts of a webhook, newest first.', {
    attempts: list(ref('WebhookAttempt'), { maxItems: 100 }),
  }),
};
