import type { WebhookRequest } from '@cadastre/client';
/** What somebody entered to create a webhook. */
export interface Fields {
    /** The value of a field; empty when nothing was entered. */
    text(name: string): string;
    /** The chosen operations. */
    readonly operations: readonly string[];
}
/** The webhook that the fields describe. Lists are separated by commas or spaces; empty filters are left out. */
export declare function webhookOf({ text, operations }: Fields): WebhookRequest;
