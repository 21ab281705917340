import type { ApiKey } from '@cadastre/client';
import { useRef, useState } from 'preact/hooks';
import { listApiKeys, revokeApiKey } from '../api/account.js';
import { useAttempt } from '../design/attempt.js';
import { ConfirmButton } from '../design/confirm-button.js';
import { dateText } from '../design/format.js';
import { Show, useLoad } from '../design/load.js';
import { Alert } from '../design/messages.js';
import { Table } from '../design/table.js';
import { NewApiKey } from './new-api-key.js';

/** The API keys of the account: creates, lists and revokes them. */
export function ApiKeys() {
  const [changes, setChanges] = useState(0);
  const keys = useLoad(String(changes), listApiKeys, { keepsLast: true });
  const changed = () => setChanges(changes + 1);
  return (
    <section class="stack" aria-labelledby="api-keys">
      <h2 id="api-keys">API keys</h2>
      <NewApiKey added={changed} />
      <Show of={keys} what="your API keys">
        {(list) =>
          list.length === 0 ? (
            <p class="card soft">You have no keys yet.</p>
          ) : (
            <KeyTable keys={list} changed={changed} />
          )
        }
      </Show>
    </section>
  );
}

function KeyTable({ keys, changed }: { readonly keys: readonly ApiKey[]; readonly changed: () => void }) {
  return (
    <div class="card scrolls">
      <Table
        class="stacks"
        caption="Your API keys, newest first"
        columns={['Name', 'Acts for', 'Made', 'Last used', 'Expires']}
        hidden="Revoke"
      >
        {keys.map((key) => (
          <KeyRow key={key.id} apiKey={key} changed={changed} />
        ))}
      </Table>
    </div>
  );
}

function KeyRow({ apiKey, changed }: { readonly apiKey: ApiKey; readonly changed: () => void }) {
  const { id, name, created, expires, revoked, maintainer } = apiKey;
  const lastUsed = apiKey['last-used'];
  const isOver = revoked !== undefined || Date.parse(expires) < Date.now();
  const head = useRef<HTMLTableCellElement>(null);
  const revocation = useAttempt();
  const revoke = () =>
    revocation.begin(async () => {
      await revokeApiKey(id);
      changed();
      head.current?.focus();
      return undefined;
    });
  return (
    <tr class={isOver ? 'soft' : undefined}>
      <th scope="row" tabIndex={-1} ref={head}>
        {name}
      </th>
      <td data-label="Acts for">{maintainer ?? 'all of them'}</td>
      <td data-label="Made">{dateText(created)}</td>
      <td data-label="Last used">{lastUsed === undefined ? 'never' : dateText(lastUsed)}</td>
      <td data-label="Expires">{revoked === undefined ? dateText(expires) : `revoked ${dateText(revoked)}`}</td>
      <td>
        {!isOver && (
          <span class="row">
            <ConfirmButton label="Revoke" what={name} isBusy={revocation.isBusy} act={revoke} />
            <Alert messages={revocation.refused} />
          </span>
        )}
      </td>
    </tr>
  );
}
