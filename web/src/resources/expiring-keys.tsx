import { listApiKeys } from '../api/account.js';
import { dateText } from '../design/date-text.js';
import { useLoad } from '../design/load.js';
import { paths } from '../paths.js';
import { Link } from '../router.js';
import { expiringKeys } from './expires-soon.js';

/** Warns of API keys that expire soon. Empty without them: the account page shows all keys, and errors. */
export function ExpiringKeys() {
  const keys = useLoad('', listApiKeys);
  const soon = keys.state === 'loaded' ? expiringKeys(keys.value, Date.now()) : [];
  if (soon.length === 0) return null;
  return (
    <section class="card warned" aria-labelledby="expiring">
      <h2 id="expiring">{soon.length === 1 ? 'An API key expires' : `${soon.length} API keys expire`} soon</h2>
      <ul class="list">
        {soon.map(({ id, name, expires }) => (
          <li key={id}>
            <strong>{name}</strong> on {dateText(expires)}
          </li>
        ))}
      </ul>
      <p>
        <Link to={paths.account}>Make new keys</Link> before your scripts stop.
      </p>
    </section>
  );
}
