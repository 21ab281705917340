import { type Storage, storedToday } from '../api/storage.js';
import { bytes } from '../design/bytes.js';
import { useLoad } from '../design/load.js';

/** "Stored today: 1.2 MB of 50 MB". */
export function Stored({ label, storage }: { readonly label: string; readonly storage: Storage }) {
  return (
    <p class="soft">
      {label}: {bytes(storage.used)} of {bytes(storage.most)}
    </p>
  );
}

/** What the account has stored today; nothing without a limit, and while it is not known. */
export function StoredToday() {
  const today = useLoad('today', storedToday);
  return today.state === 'loaded' && today.value !== undefined ? (
    <Stored label="Stored today" storage={today.value} />
  ) : null;
}
