import { type Storage, storedToday } from '../api/account.js';
import { bytes } from '../design/format.js';
import { useLoad } from '../design/load.js';

/** "Stored today: 1.2 MB of 50 MB". */
export function Stored({ label, storage }: { readonly label: string; readonly storage: Storage }) {
  return (
    <p class="soft">
      {label}: {bytes(storage.used)} of {bytes(storage.most)}
    </p>
  );
}

/**
 * The bytes that the account has stored today; nothing without a limit. Reserves its line while it loads, so that
 * nothing moves.
 */
export function StoredToday() {
  const today = useLoad('today', storedToday);
  if (today.state === 'loading') return <p class="soft">Stored today: …</p>;
  return today.state === 'loaded' && today.value ? <Stored label="Stored today" storage={today.value} /> : null;
}
