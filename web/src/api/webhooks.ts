import type { Webhook, WebhookAttempt, WebhookRequest } from '@cadastre/client';
import { answerOf, registry, undefinedOn } from './registry.js';

const at = (id: string) => ({ params: { path: { id } } });

/** The webhooks of the account, oldest first; undefined when the registry has none. Throws a RequestFailed. */
export async function listWebhooks(signal?: AbortSignal): Promise<Webhook[] | undefined> {
  return (await undefinedOn(answerOf(registry.GET('/webhooks', { signal })), 501))?.webhooks;
}

/** Creates a webhook. Only this response has its secret; with v1a there is none. Throws a RequestFailed. */
export function createWebhook(webhook: WebhookRequest) {
  return answerOf(registry.POST('/webhooks', { body: webhook }));
}

/** Disables a webhook, or enables it again; returns its new state. Throws a RequestFailed. */
export async function setDisabled(webhook: Webhook, disabled: boolean): Promise<Webhook> {
  const { url, description, source, filter, payload, signature } = webhook;
  const body = { url, description, source, filter, payload, signature, disabled };
  return (await answerOf(registry.PUT('/webhooks/{id}', { ...at(webhook.id), body }))).webhook;
}

/** Deletes a webhook. Throws a RequestFailed. */
export async function deleteWebhook(id: string): Promise<void> {
  await answerOf(registry.DELETE('/webhooks/{id}', at(id)));
}

/** Makes a new secret, which only this response has. Throws a RequestFailed. */
export function rotateSecret(id: string) {
  return answerOf(registry.POST('/webhooks/{id}/secret', at(id)));
}

/** The newest attempts to deliver, newest first. Throws a RequestFailed. */
export async function listAttempts(id: string, signal?: AbortSignal): Promise<WebhookAttempt[]> {
  return (await answerOf(registry.GET('/webhooks/{id}/attempts', { ...at(id), signal }))).attempts;
}

/**
 * Delivers a test event, or the change with a serial again; returns the new state of the webhook. Throws a
 * RequestFailed.
 */
export async function deliverAgain(id: string, what: { test: true } | { serial: number }): Promise<Webhook> {
  return (await answerOf(registry.POST('/webhooks/{id}/deliveries', { ...at(id), body: what }))).webhook;
}
