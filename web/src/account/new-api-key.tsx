import { createApiKey } from '../api/account.js';
import { SelectField, TextField, textsOf } from '../design/field.js';
import { useOwnMaintainers } from './own-maintainers.js';
import { SecretForm } from './shown-once.js';

const maxDays = 365;
const dayMs = 24 * 60 * 60 * 1000;

/** Creates a key. */
export function NewApiKey({ added }: { readonly added: () => void }) {
  const maintainers = useOwnMaintainers();
  const own = maintainers.state === 'loaded' ? maintainers.value.map(({ key }) => key) : [];
  const choices = [['', 'all my maintainers'] as const, ...own];
  const create = async (form: HTMLFormElement) => {
    const text = textsOf(form);
    const maintainer = text('maintainer');
    const key = { name: text('name').trim(), expires: text('expires'), ...(maintainer && { maintainer }) };
    const { credential } = await createApiKey(key);
    // The next key may have the same mntner and the same end.
    (form.elements.namedItem('name') as HTMLInputElement).value = '';
    added();
    return credential;
  };
  return (
    <SecretForm
      class="new-api-key"
      create={create}
      heading="Copy your key now: it is shown only once"
      copyLabel="Copy the key"
      note={
        <>
          Send it as <code>Authorization: Basic …</code>, for example{' '}
          <code>curl -H "Authorization: Basic $KEY" {location.origin}/session/maintainers</code>
        </>
      }
    >
      {(isBusy) => (
        <>
          <TextField
            id="key-name"
            name="name"
            label="Purpose"
            required
            maxLength={100}
            placeholder="Route updates from ci.example.net"
          />
          <TextField
            id="key-expires"
            name="expires"
            label="Expires"
            type="date"
            required
            min={dayIn(1)}
            max={dayIn(maxDays)}
            defaultValue={dayIn(90)}
          />
          <SelectField id="key-maintainer" name="maintainer" label="Acts for" options={choices} />
          <button type="submit" class="primary" disabled={isBusy}>
            Create key
          </button>
        </>
      )}
    </SecretForm>
  );
}

/** The date after this many days, YYYY-MM-DD in UTC. */
function dayIn(days: number): string {
  return new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);
}
