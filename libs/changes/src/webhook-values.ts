import { type WebhookFilter, WebhookPayload, WebhookSignature, WebhookState } from '@cadastre/proto/objects';
import type { FilterValues } from './change-filter.js';

/** The payloads of events, by their names. */
export const webhookPayloads = {
  keys: WebhookPayload.WEBHOOK_PAYLOAD_KEYS,
  text: WebhookPayload.WEBHOOK_PAYLOAD_TEXT,
  object: WebhookPayload.WEBHOOK_PAYLOAD_OBJECT,
} as const;

/** The signatures of events, by the names of Standard Webhooks. */
export const webhookSignatures = {
  v1: WebhookSignature.WEBHOOK_SIGNATURE_V1,
  v1a: WebhookSignature.WEBHOOK_SIGNATURE_V1A,
} as const;

/** The states of webhooks, by their names. */
export const webhookStates = {
  unconfirmed: WebhookState.WEBHOOK_STATE_UNCONFIRMED,
  active: WebhookState.WEBHOOK_STATE_ACTIVE,
  disabled: WebhookState.WEBHOOK_STATE_DISABLED,
} as const;

/** The name of a value; `other` for a value that has none. */
export function nameIn<N extends string>(names: Readonly<Record<N, number>>, value: number, other: N): N {
  return (Object.keys(names) as N[]).find((name) => names[name] === value) ?? other;
}

/** The filter of a webhook in the form of contracts. */
export function filterToWire(filter: FilterValues): WebhookFilter {
  return {
    types: [...filter['type-filter']],
    operations: [...filter.operation],
    maintainers: [...filter.maintainer],
    within: [...filter.within],
    key: filter.key,
  };
}

/** The filter of a webhook in the form of readers; without one, every change passes. */
export function filterFromWire(filter: WebhookFilter | undefined): FilterValues {
  return {
    'type-filter': filter?.types ?? [],
    operation: filter?.operations ?? [],
    maintainer: filter?.maintainers ?? [],
    within: filter?.within ?? [],
    key: filter?.key ?? '',
  };
}
