import type { WebhookRequest } from '@cadastre/client';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { listSources } from '../api/metadata.js';
import { createWebhook, type WithSecret } from '../api/webhooks.js';
import { Refused, useAttempt } from '../design/attempt.js';
import { useLoad } from '../design/load.js';
import { ShownOnce } from './shown-once.js';
import { type Fields, webhookOf } from './webhook-fields.js';

const payloads = { keys: 'names', text: 'names and text', object: 'names and object' };
const signatures = { v1: 'a secret (HMAC-SHA256)', v1a: 'a public key (Ed25519)' };
const operations = ['created', 'modified', 'deleted'];

/** Creates a webhook. Shows its secret once; only this component holds it. */
export function NewWebhook({ made }: { readonly made: () => void }) {
  const [created, setCreated] = useState<WithSecret>();
  const making = useAttempt();
  const loaded = useLoad('sources', listSources);
  const sources = loaded.state === 'loaded' ? loaded.value : [];
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const wanted: WebhookRequest = webhookOf(fieldsOf(new FormData(form)));
    making.begin(async () => {
      setCreated(await createWebhook(wanted));
      form.reset();
      made();
      return undefined;
    });
  };
  return (
    <div class="card stack">
      <form class="stack" onSubmit={submit}>
        <div class="new-webhook">
          <Field name="url" label="URL">
            <input
              id="webhook-url"
              name="url"
              type="url"
              required
              maxLength={2000}
              placeholder="https://hooks.example.net/registry"
            />
          </Field>
          <Choice
            name="source"
            label="Changes of"
            options={Object.fromEntries(sources.map(({ name }) => [name, name]))}
          />
          <TextField name="maintainer" label="Maintained by" placeholder="anybody" />
          <Choice name="payload" label="Events have" options={payloads} />
          <button type="submit" class="primary" disabled={making.isBusy || sources.length === 0}>
            Create webhook
          </button>
        </div>
        <details>
          <summary>More filters and signature</summary>
          <div class="new-webhook more">
            <TextField name="type-filter" label="Types" placeholder="route, route6" />
            <TextField name="within" label="Addresses inside of" placeholder="192.0.2.0/24" />
            <TextField name="key" label="Key (* stands for any text)" placeholder="AS-*" />
            <fieldset class="field">
              <legend>What happened</legend>
              <div class="row">
                {operations.map((operation) => (
                  <label key={operation}>
                    <input type="checkbox" name="operation" value={operation} defaultChecked /> {operation}
                  </label>
                ))}
              </div>
            </fieldset>
            <Choice name="signature" label="Signed by" options={signatures} />
          </div>
        </details>
      </form>
      <Refused attempt={making} />
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

interface FieldProps {
  readonly name: string;
  readonly label: string;
}

function Field({ name, label, children }: FieldProps & { readonly children: ComponentChildren }) {
  return (
    <div class="field">
      <label for={`webhook-${name}`}>{label}</label>
      {children}
    </div>
  );
}

function TextField({ placeholder, ...field }: FieldProps & { readonly placeholder: string }) {
  return (
    <Field {...field}>
      <input id={`webhook-${field.name}`} name={field.name} type="text" placeholder={placeholder} />
    </Field>
  );
}

/** A select; `options` are names by value, and the first one is the default. */
function Choice({ options, ...field }: FieldProps & { readonly options: Readonly<Record<string, string>> }) {
  return (
    <Field {...field}>
      <select id={`webhook-${field.name}`} name={field.name}>
        {Object.entries(options).map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    </Field>
  );
}
