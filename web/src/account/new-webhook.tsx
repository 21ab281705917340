import type { WebhookRequest } from '@cadastre/client';
import { useState } from 'preact/hooks';
import { listSources } from '../api/metadata.js';
import { createWebhook, type WithSecret } from '../api/webhooks.js';
import { useAttempt } from '../design/attempt.js';
import { SelectField, TextField } from '../design/field.js';
import { useLoad } from '../design/load.js';
import { Alert } from '../design/messages.js';
import { ShownOnce } from './shown-once.js';

const payloads = Object.entries({ keys: 'names', text: 'names and text', object: 'names and object' });
const signatures = Object.entries({ v1: 'a secret (HMAC-SHA256)', v1a: 'a public key (Ed25519)' });
const allOperations = ['created', 'modified', 'deleted'];

/** Creates a webhook. Shows its secret once; only this component holds it. */
export function NewWebhook({ added }: { readonly added: () => void }) {
  const [created, setCreated] = useState<WithSecret>();
  const creation = useAttempt();
  const loaded = useLoad('sources', listSources);
  const sources = loaded.state === 'loaded' ? loaded.value : [];
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const webhook: WebhookRequest = webhookOf(fieldsOf(new FormData(form)));
    creation.begin(async () => {
      setCreated(await createWebhook(webhook));
      form.reset();
      added();
      return undefined;
    });
  };
  return (
    <div class="card stack">
      <form class="stack" onSubmit={submit}>
        <div class="new-webhook">
          <TextField
            id="webhook-url"
            name="url"
            label="URL"
            type="url"
            required
            maxLength={2000}
            placeholder="https://hooks.example.net/registry"
          />
          <SelectField id="webhook-source" name="source" label="Changes of" options={sources.map(({ name }) => name)} />
          <TextField id="webhook-maintainer" name="maintainer" label="Maintained by" placeholder="anybody" />
          <SelectField id="webhook-payload" name="payload" label="Events have" options={payloads} />
          <button type="submit" class="primary" disabled={creation.isBusy || sources.length === 0}>
            Create webhook
          </button>
        </div>
        <details>
          <summary>More filters and signature</summary>
          <div class="new-webhook more">
            <TextField id="webhook-type-filter" name="type-filter" label="Types" placeholder="route, route6" />
            <TextField id="webhook-within" name="within" label="Addresses inside of" placeholder="192.0.2.0/24" />
            <TextField id="webhook-key" name="key" label="Key (* stands for any text)" placeholder="AS-*" />
            <fieldset class="field">
              <legend>What happened</legend>
              <div class="row">
                {allOperations.map((operation) => (
                  <label key={operation}>
                    <input type="checkbox" name="operation" value={operation} defaultChecked /> {operation}
                  </label>
                ))}
              </div>
            </fieldset>
            <SelectField id="webhook-signature" name="signature" label="Signed by" options={signatures} />
          </div>
        </details>
      </form>
      <Alert messages={creation.refused} />
      {created?.secret !== undefined && (
        <ShownOnce
          heading="Copy the secret now: it is shown only once"
          copyLabel="Copy the secret"
          secret={created.secret}
          put={() => setCreated(undefined)}
        >
          <p class="small">It signs the events as Standard Webhooks says.</p>
        </ShownOnce>
      )}
    </div>
  );
}

function fieldsOf(form: FormData): Fields {
  const text = (name: string) => String(form.get(name) ?? '');
  return { text, operations: form.getAll('operation').map(String) };
}

/** The fields of the form for a webhook. */
export interface Fields {
  /** The value of a field; empty when nothing was entered. */
  text(name: string): string;
  /** The chosen operations. */
  readonly operations: readonly string[];
}

/** The webhook that the fields describe. Lists are separated by commas or spaces; omits empty filters. */
export function webhookOf({ text, operations }: Fields): WebhookRequest {
  const filter = {
    'type-filter': listOf(text('type-filter')),
    maintainer: listOf(text('maintainer')),
    within: rangesOf(text('within')),
    operation: operations.length === allOperations.length ? [] : [...operations],
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
