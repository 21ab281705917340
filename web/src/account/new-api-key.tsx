import { useState } from 'preact/hooks';
import { createApiKey } from '../api/api-keys.js';
import { Refused, useAttempt } from '../design/attempt.js';
import { CopyButton } from '../design/copy-button.js';
import { useOwnMaintainers } from './own-maintainers.js';

const longestDays = 365;
const dayMs = 24 * 60 * 60 * 1000;

/** Creates a key. Shows its credential once; only this component holds it. */
export function NewApiKey({ made }: { readonly made: () => void }) {
  const [name, setName] = useState('');
  const [expires, setExpires] = useState(dayIn(90));
  const [maintainer, setMaintainer] = useState('');
  const [credential, setCredential] = useState('');
  const making = useAttempt();
  const maintainers = useOwnMaintainers();
  const submit = (event: Event) => {
    event.preventDefault();
    making.begin(async () => {
      const key = { name: name.trim(), expires, ...(maintainer === '' ? {} : { maintainer }) };
      setCredential((await createApiKey(key)).credential);
      setName('');
      made();
      return undefined;
    });
  };
  return (
    <div class="card stack">
      <form class="new-api-key" onSubmit={submit}>
        <div class="field">
          <label for="key-name">Purpose</label>
          <input
            id="key-name"
            type="text"
            required
            maxLength={100}
            placeholder="Route updates from ci.example.net"
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </div>
        <div class="field">
          <label for="key-expires">Expires</label>
          <input
            id="key-expires"
            type="date"
            required
            min={dayIn(1)}
            max={dayIn(longestDays)}
            value={expires}
            onInput={(event) => setExpires(event.currentTarget.value)}
          />
        </div>
        <div class="field">
          <label for="key-maintainer">Acts for</label>
          <select id="key-maintainer" value={maintainer} onChange={(event) => setMaintainer(event.currentTarget.value)}>
            <option value="">all my maintainers</option>
            {maintainers.state === 'loaded' &&
              maintainers.value.map(({ key }) => (
                <option key={key} value={key}>
                  {key}
                </option>
              ))}
          </select>
        </div>
        <button type="submit" class="primary" disabled={making.isBusy}>
          Create key
        </button>
      </form>
      <Refused attempt={making} />
      {credential !== '' && <Credential credential={credential} put={() => setCredential('')} />}
    </div>
  );
}

function Credential({ credential, put }: { readonly credential: string; readonly put: () => void }) {
  const origin = location.origin;
  return (
    <div class="credential stack" role="status">
      <h3>Copy your key now: it is shown only once</h3>
      <p class="row">
        <code class="secret">{credential}</code>
        <CopyButton label="Copy the key" text={() => credential} />
        <button type="button" class="slim" onClick={put}>
          I have it
        </button>
      </p>
      <p class="small">
        Send it as <code>Authorization: Basic …</code>, for example{' '}
        <code>curl -H "Authorization: Basic $KEY" {origin}/session/maintainers</code>
      </p>
    </div>
  );
}

/** The day in this many days, YYYY-MM-DD in UTC. */
function dayIn(days: number): string {
  return new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);
}
