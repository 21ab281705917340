import { useState } from 'preact/hooks';
import { listSources } from '../api/metadata.js';
import { createWebhook, type WithSecret } from '../api/webhooks.js';
import { Refused, useAttempt } from '../design/attempt.js';
import { useLoad } from '../design/load.js';
import { ShownOnce } from './shown-once.js';

const payloads = { keys: 'names', text: 'names and text', object: 'names and object' };

/** Creates a webhook. Shows its secret once; only this component holds it. */
export function NewWebhook({ made }: { readonly made: () => void }) {
  const [url, setUrl] = useState('');
  const [chosen, setChosen] = useState('');
  const [maintainers, setMaintainers] = useState('');
  const [payload, setPayload] = useState<keyof typeof payloads>('keys');
  const [created, setCreated] = useState<WithSecret>();
  const making = useAttempt();
  const loaded = useLoad('sources', listSources);
  const sources = loaded.state === 'loaded' ? loaded.value : [];
  const source = chosen || sources[0]?.name || '';
  const submit = (event: Event) => {
    event.preventDefault();
    making.begin(async () => {
      const filter = maintainers.trim() === '' ? {} : { filter: { maintainer: [maintainers.trim()] } };
      setCreated(await createWebhook({ url: url.trim(), source, payload, ...filter }));
      setUrl('');
      made();
      return undefined;
    });
  };
  return (
    <div class="card stack">
      <form class="new-webhook" onSubmit={submit}>
        <div class="field">
          <label for="webhook-url">URL</label>
          <input
            id="webhook-url"
            type="url"
            required
            maxLength={2000}
            placeholder="https://hooks.example.net/registry"
            value={url}
            onInput={(event) => setUrl(event.currentTarget.value)}
          />
        </div>
        <div class="field">
          <label for="webhook-source">Changes of</label>
          <select id="webhook-source" value={source} onChange={(event) => setChosen(event.currentTarget.value)}>
            {sources.map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </div>
        <div class="field">
          <label for="webhook-maintainers">Maintained by</label>
          <input
            id="webhook-maintainers"
            type="text"
            placeholder="anybody"
            value={maintainers}
            onInput={(event) => setMaintainers(event.currentTarget.value)}
          />
        </div>
        <div class="field">
          <label for="webhook-payload">Events have</label>
          <select
            id="webhook-payload"
            value={payload}
            onChange={(event) => setPayload(event.currentTarget.value as keyof typeof payloads)}
          >
            {Object.entries(payloads).map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
        </div>
        <button type="submit" class="primary" disabled={making.isBusy || source === ''}>
          Create webhook
        </button>
      </form>
      <Refused attempt={making} />
      {created?.secret !== undefined && (
        <ShownOnce
          heading="Copy the secret now: it is shown only once"
          copyLabel="Copy the secret"
          secret={created.secret}
          put={() => setCreated(undefined)}
        >
          <p class="small">
            It signs the events as Standard Webhooks says. Over REST a webhook has more filters, and other signatures.
          </p>
        </ShownOnce>
      )}
    </div>
  );
}
