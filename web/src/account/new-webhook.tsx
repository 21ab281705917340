import type { WebhookRequest } from '@cadastre/client';
import { listSources } from '../api/metadata.js';
import { createWebhook } from '../api/webhooks.js';
import { SelectField, TextField, textsOf } from '../design/field.js';
import { useLoad } from '../design/load.js';
import { SecretForm } from './shown-once.js';

const payloads = Object.entries({ keys: 'names', text: 'names and text', object: 'names and object' });
const signatures = Object.entries({ v1: 'a secret (HMAC-SHA256)', v1a: 'a public key (Ed25519)' });
const allOperations = ['created', 'modified', 'deleted'];

/** Creates a webhook. */
export function NewWebhook({ added }: { readonly added: () => void }) {
  const loaded = useLoad('sources', listSources);
  const sources = loaded.state === 'loaded' ? loaded.value.map(({ name }) => name) : [];
  const create = async (form: HTMLFormElement) => {
    const operations = new FormData(form).getAll('operation').map(String);
    const { secret } = await createWebhook(webhookOf({ text: textsOf(form), operations }));
    form.reset();
    added();
    return secret;
  };
  return (
    <SecretForm
      class="stack"
      create={create}
      heading="Copy the secret now: it is shown only once"
      copyLabel="Copy the secret"
      note="It signs the events as Standard Webhooks says."
    >
      {(isBusy) => (
        <>
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
            <SelectField id="webhook-source" name="source" label="Changes of" options={sources} />
            <TextField id="webhook-maintainer" name="maintainer" label="Maintained by" placeholder="anybody" />
            <SelectField id="webhook-payload" name="payload" label="Events have" options={payloads} />
            <button type="submit" class="primary" disabled={isBusy || sources.length === 0}>
              Create webhook
            </button>
          </div>
          <MoreFilters />
        </>
      )}
    </SecretForm>
  );
}

function MoreFilters() {
  return (
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
  );
}

/** The fields of the form for a webhook. */
export interface Fields {
  /** The value of a field; empty when nothing was entered. */
  text(name: string): string;
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
