import { createPublicKey, hkdfSync } from 'node:crypto';
import { changeFilter, type FilterValues } from '@cadastre/changes';
import type { Message } from '@cadastre/proto/registry';
import { ed25519Key, failureMessage, refusedPart } from '@cadastre/service';

/** The content of events besides the names of a change. */
export type WebhookPayload = 'keys' | 'text' | 'object';

/** How requests are signed (Standard Webhooks 1.0): HMAC-SHA256 or Ed25519. */
export type WebhookSignature = 'v1' | 'v1a';

/** What the owner of a webhook chooses besides its source. */
export interface WebhookProperties {
  readonly url: string;
  readonly description: string;
  readonly filter: FilterValues;
  readonly payload: WebhookPayload;
  readonly signature: WebhookSignature;
}

export const webhookBounds = { perAccount: 20, requested: 20, attempts: 100 } as const;

const maxUrlLength = 2_000;
const maxDescriptionLength = 200;
const maxFilterLength = 4_000;

/** What is wrong with properties. `anywhere` allows URLs of trials: http, any port, addresses that are not public. */
export function webhookProblems(
  { url, description, filter }: WebhookProperties,
  { anywhere }: { readonly anywhere: boolean },
): Message[] {
  const problems: Message[] = [];
  const wrongUrl = urlProblem(url, anywhere);
  if (wrongUrl !== undefined) problems.push(failureMessage(`The URL of a webhook ${wrongUrl}`));
  if (description.length > maxDescriptionLength || /\p{Cc}/u.test(description)) {
    problems.push(
      failureMessage('A description has at most %d characters, in one line', [String(maxDescriptionLength)]),
    );
  }
  if (/\p{Cc}/u.test(Object.values(filter).flat().join(''))) {
    problems.push(failureMessage('A filter cannot contain control characters'));
    return problems;
  }
  if (JSON.stringify(filter).length > maxFilterLength) {
    problems.push(failureMessage('A filter has at most %d characters', [String(maxFilterLength)]));
    return problems;
  }
  const made = changeFilter(filter);
  if (typeof made === 'function') return problems;
  switch (made.reason) {
    case 'type':
      return [...problems, failureMessage('Invalid object type: %s', [made.value])];
    case 'value': {
      const text = "Invalid value '%s' of '%s': %s is expected";
      return [...problems, failureMessage(text, [made.value, made.name, made.expected])];
    }
    case 'count':
      return [...problems, failureMessage("'%s' has more than %d values", [made.name, String(made.max)])];
  }
}

const refusals = {
  scheme: 'must begin with https://',
  port: 'must have the port 443 or 8443',
  host: 'must name a public host',
};

function urlProblem(text: string, anywhere: boolean): string | undefined {
  if (text.length > maxUrlLength) return `has at most ${maxUrlLength} characters`;
  if (/[\s\p{Cc}]/u.test(text)) return 'cannot contain spaces and control characters';
  if (!URL.canParse(text)) return 'must be an absolute URL';
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return 'cannot contain a user or a password';
  if (url.hash !== '') return 'cannot contain a fragment';
  // The addresses of a name are checked at each delivery.
  const refused = refusedPart(url, { anywhere });
  return refused && (anywhere ? 'must begin with https:// or http://' : refusals[refused]);
}

/** Derives the secrets of webhooks, so that the database has none. */
export type WebhookSecrets = ReturnType<typeof webhookSecrets>;

/** Derives the secrets from the operator's key (HKDF, RFC 5869): the database alone does not reveal them. */
export function webhookSecrets(operatorKey: string) {
  return {
    /** The secret with this number: 32 octets, an HMAC key or the seed of an Ed25519 key. */
    of({ id, signature }: { readonly id: string; readonly signature: WebhookSignature }, number: number): Buffer {
      return Buffer.from(hkdfSync('sha256', operatorKey, '', `cadastre webhook ${signature} ${id} ${number}`, 32));
    },
  };
}

const publicKeyOctets = 32;

/** A secret for its owner: "whsec_" and Base64. */
export function shownSecret(secret: Buffer): string {
  return `whsec_${secret.toString('base64')}`;
}

/** The public key of a seed: "whpk_" and Base64. */
export function shownPublicKey(seed: Buffer): string {
  const der = createPublicKey(ed25519Key(seed)).export({ format: 'der', type: 'spki' });
  return `whpk_${der.subarray(-publicKeyOctets).toString('base64')}`;
}
