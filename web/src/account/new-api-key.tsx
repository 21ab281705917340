import { useState } from 'preact/hooks';
import { createApiKey } from '../api/account.js';
import { useAttempt } from '../design/attempt.js';
import { SelectField, TextField } from '../design/field.js';
import { Alert } from '../design/messages.js';
import { useOwnMaintainers } from './own-maintainers.js';
import { ShownOnce } from './shown-once.js';

const maxDays = 365;
const dayMs = 24 * 60 * 60 * 1000;

/** Creates a key. Shows its credential once; only this component holds it. */
export function NewApiKey({ added }: { readonly added: () => void }) {
  const [name, setName] = useState('');
  const [expires, setExpires] = useState(dayIn(90));
  const [maintainer, setMaintainer] = useState('');
  const [credential, setCredential] = useState('');
  const creation = useAttempt();
  const maintainers = useOwnMaintainers();
  const submit = (event: Event) => {
    event.preventDefault();
    creation.begin(async () => {
      const key = { name: name.trim(), expires, ...(maintainer === '' ? {} : { maintainer }) };
      setCredential((await createApiKey(key)).credential);
      setName('');
      added();
      return undefined;
    });
  };
  return (
    <div class="card stack">
      <form class="new-api-key" onSubmit={submit}>
        <TextField
          id="key-name"
          label="Purpose"
          required
          maxLength={100}
          placeholder="Route updates from ci.example.net"
          value={name}
          set={setName}
        />
        <TextField
          id="key-expires"
          label="Expires"
          type="date"
          required
          min={dayIn(1)}
          max={dayIn(maxDays)}
          value={expires}
          set={setExpires}
        />
        <SelectField
          id="key-maintainer"
          label="Acts for"
          value={maintainer}
          options={[
            ['', 'all my maintainers'],
            ...(maintainers.state === 'loaded' ? maintainers.value.map(({ key }) => key) : []),
          ]}
          set={setMaintainer}
        />
        <button type="submit" class="primary" disabled={creation.isBusy}>
          Create key
        </button>
      </form>
      <Alert messages={creation.refused} />
      {credential !== '' && (
        <ShownOnce
          heading="Copy your key now: it is shown only once"
          copyLabel="Copy the key"
          secret={credential}
          put={() => setCredential('')}
        >
          <p class="small">
            Send it as <code>Authorization: Basic …</code>, for example{' '}
            <code>curl -H "Authorization: Basic $KEY" {location.origin}/session/maintainers</code>
          </p>
        </ShownOnce>
      )}
    </div>
  );
}

/** The date after this many days, YYYY-MM-DD in UTC. */
function dayIn(days: number): string {
  return new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);
}
