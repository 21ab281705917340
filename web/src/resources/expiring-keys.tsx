import type { ApiKey } from '@cadastre/client';
import { listApiKeys } from '../api/account.js';
import { dateText } from '../design/format.js';
import { useLoad } from '../design/load.js';
import { paths } from '../paths.js';
import { Link } from '../router.js';

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

const soonMs = 30 * 24 * 60 * 60 * 1000;

/** The keys that expire within 30 days, the first one first; not those that are revoked or have expired. */
export function expiringKeys(keys: readonly ApiKey[], now: number): readonly ApiKey[] {
  const leftMs = ({ expires }: ApiKey) => Date.parse(expires) - now;
  return keys
    .filter((key) => key.revoked === undefined && leftMs(key) > 0 && leftMs(key) <= soonMs)
    .toSorted((a, b) => leftMs(a) - leftMs(b));
}
