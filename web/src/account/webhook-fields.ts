import type { WebhookRequest } from '@cadastre/client';

/** The fields of the form for a webhook. */
export interface Fields {
  /** The value of a field; empty when nothing was entered. */
  text(name: string): string;
  /** The chosen operations. */
  readonly operations: readonly string[];
}

const allOperations = 3;

/** The webhook that the fields describe. Lists are separated by commas or spaces; omits empty filters. */
export function webhookOf({ text, operations }: Fields): WebhookRequest {
  const filter = {
    'type-filter': listOf(text('type-filter')),
    maintainer: listOf(text('maintainer')),
    within: rangesOf(text('within')),
    operation: operations.length === allOperations ? [] : [...operations],
  };
  const key = text('key').trim();
  return {
    url: text('url').trim(),
    source: text('source'),
    filter: {
      ...Object.fromEntries(Object.entries(filter).filter(([, values]) => values.length > 0)),
      ...(key !== '' && { key }),
    },
    payload: text('payload') as NonNullable<WebhookRequest['payload']>,
    signature: text('signature') as NonNullable<WebhookRequest['signature']>,
  };
}

function listOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((value) => value !== '');
}

/** A range has spaces around its hyphen. */
function rangesOf(text: string): string[] {
  return listOf(text.replace(/\s+-\s+/g, '-')).map((value) => value.replace('-', ' - '));
}
