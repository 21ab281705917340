import type { Webhook, WebhookAttempt, WebhookRequest } from '@cadastre/client';
/** A webhook with its secret, which only the responses to its creation and to its rotation contain. */
export interface WithSecret {
    readonly webhook: Webhook;
    /** Absent with v1a: the webhook has a public key. */
    readonly secret?: string;
}
/** The webhooks of the account, oldest first; undefined when the registry has none. Throws a RequestFailed. */
export declare function listWebhooks(signal?: AbortSignal): Promise<Webhook[] | undefined>;
/** Creates a webhook. Throws a RequestFailed. */
export declare function createWebhook(wanted: WebhookRequest): Promise<WithSecret>;
/** Switches a webhook off, or on again; returns what it is then. Throws a RequestFailed. */
export declare function setDisabled(webhook: Webhook, disabled: boolean): Promise<Webhook>;
/** Deletes a webhook. Throws a RequestFailed. */
export declare function deleteWebhook(id: string): Promise<void>;
/** Makes a new secret. Throws a RequestFailed. */
export declare function rotateSecret(id: string): Promise<WithSecret>;
/** The newest attempts to deliver, newest first. Throws a RequestFailed. */
export declare function listAttempts(id: string, signal?: AbortSignal): Promise<WebhookAttempt[]>;
/** Delivers a test event, or the change with a serial again; returns what the webhook is then. Throws a RequestFailed. */
export declare function deliverAgain(id: string, what: {
    test: true;
} | {
    serial: number;
}): Promise<Webhook>;
