import type { Webhook, WebhookAttempt } from '@cadastre/client';
import { useRef, useState } from 'preact/hooks';
import { deleteWebhook, deliverAgain, listAttempts, listWebhooks, rotateSecret, setDisabled } from '../api/webhooks.js';
import { useAttempt } from '../design/attempt.js';
import { Button } from '../design/button.js';
import { ConfirmButton } from '../design/confirm-button.js';
import { focusHeadingOf } from '../design/focus.js';
import { dateText } from '../design/format.js';
import { Show, useLoad } from '../design/load.js';
import { Alert } from '../design/messages.js';
import { Table } from '../design/table.js';
import { NewWebhook } from './new-webhook.js';
import { ShownOnce } from './shown-once.js';

/** The webhooks of the account: creates, shows and changes them, if the registry has any. */
export function Webhooks() {
  const [changes, setChanges] = useState(0);
  const webhooks = useLoad(String(changes), listWebhooks, { keepsLast: true });
  const changed = () => setChanges((last) => last + 1);
  if (webhooks.state === 'loaded' && webhooks.value === undefined)
    return <p class="card">This registry has no webhooks.</p>;
  return (
    <section class="stack" aria-labelledby="webhooks">
      <h2 id="webhooks">Your webhooks</h2>
      <NewWebhook added={changed} />
      <Show of={webhooks} what="your webhooks">
        {(list = []) =>
          list.length === 0 ? (
            <p class="card soft">You have no webhooks yet.</p>
          ) : (
            list.map((webhook) => <WebhookCard key={webhook.id} webhook={webhook} deleted={changed} />)
          )
        }
      </Show>
    </section>
  );
}

function WebhookCard({ webhook: listed, deleted }: { readonly webhook: Webhook; readonly deleted: () => void }) {
  const [webhook, setWebhook] = useState(listed);
  const [secret, setSecret] = useState('');
  const [showsAttempts, setShowsAttempts] = useState(false);
  const card = useRef<HTMLElement>(null);
  const attempt = useAttempt();
  const { id, url, source, serial } = webhook;
  const change = (work: () => Promise<Webhook>) => attempt.begin(async () => void setWebhook(await work()));
  const remove = () =>
    attempt.begin(async () => {
      await deleteWebhook(id);
      focusHeadingOf(card.current!);
      deleted();
      return undefined;
    });
  return (
    <article class="card stack" aria-label={`Webhook ${url}`} ref={card}>
      <h3>{url}</h3>
      <p class="soft">
        {source}, {filterText(webhook)}: {stateText(webhook)}. Everything up to serial {serial} is done.
      </p>
      {webhook['public-key'] !== undefined && (
        <p class="small">
          Public key: <code class="secret">{webhook['public-key']}</code>
        </p>
      )}
      {secret !== '' && (
        <ShownOnce
          heading="Copy the new secret now: it is shown only once"
          copyLabel="Copy the secret"
          secret={secret}
          put={() => setSecret('')}
          note="The secret before it signs too, for 24 hours."
        />
      )}
      <p class="row">
        <Button
          class="slim"
          label="Attempts"
          aria-expanded={showsAttempts}
          act={() => setShowsAttempts(!showsAttempts)}
        />
        {changesOf(webhook, setSecret).map(([label, work], index) => (
          <Button key={index} class="slim" label={label} disabled={attempt.isBusy} act={() => change(work)} />
        ))}
        <ConfirmButton label="Delete" isBusy={attempt.isBusy} act={remove} />
      </p>
      <Alert messages={attempt.refused} />
      {showsAttempts && <Attempts webhook={webhook} />}
    </article>
  );
}

/** What its user may do to a webhook. */
function changesOf(
  webhook: Webhook,
  showSecret: (secret: string) => void,
): readonly (readonly [label: string, work: () => Promise<Webhook>])[] {
  const { id, state } = webhook;
  const rotate = async () => {
    const rotated = await rotateSecret(id);
    showSecret(rotated.secret ?? '');
    return rotated.webhook;
  };
  return [
    ['Send a test event', () => deliverAgain(id, { test: true })],
    ['New secret', rotate],
    [state === 'disabled' ? 'Enable' : 'Disable', () => setDisabled(webhook, state !== 'disabled')],
  ];
}

function filterText({ filter }: Webhook): string {
  const parts = Object.values(filter)
    .flat()
    .filter((value) => value !== '');
  return parts.length === 0 ? 'all changes' : `changes of ${parts.join(', ')}`;
}

function stateText(webhook: Webhook): string {
  const { state, failures, reason = '' } = webhook;
  const next = webhook['next-attempt'];
  const waiting = next === undefined ? '' : `, ${failures} failed attempts, the next one ${dateText(next)}`;
  if (state === 'disabled') return `disabled. ${reason.replace(/\.$/, '')}`;
  return state === 'active' ? `active${waiting}` : `waits until the URL accepts a test event${waiting}`;
}

function Attempts({ webhook: { id } }: { readonly webhook: Webhook }) {
  const attempts = useLoad(id, (signal) => listAttempts(id, signal));
  return (
    <Show of={attempts} what="the attempts">
      {(list) =>
        list.length === 0 ? (
          <p class="soft">There were no attempts yet.</p>
        ) : (
          <div class="stack">
            <p>
              <Button class="slim" label="Reload" act={() => attempts.state === 'loaded' && attempts.retry()} />
            </p>
            <div class="scrolls">
              <Table
                caption="Attempts to deliver, newest first"
                columns={['Event', 'Time', 'Result']}
                hidden="Deliver again"
              >
                {list.map((attempt) => (
                  <AttemptRow key={`${attempt.event} ${attempt.time}`} id={id} attempt={attempt} />
                ))}
              </Table>
            </div>
          </div>
        )
      }
    </Show>
  );
}

function AttemptRow({ id, attempt }: { readonly id: string; readonly attempt: WebhookAttempt }) {
  const { event, time, milliseconds, serial, status, error } = attempt;
  const [isRequested, setRequested] = useState(false);
  const again = useAttempt();
  const deliver = (what: number) =>
    again.begin(async () => {
      await deliverAgain(id, { serial: what });
      setRequested(true);
      return undefined;
    });
  return (
    <tr>
      <th scope="row">{event}</th>
      <td>{dateText(time)}</td>
      <td>
        {error ?? `status ${status}`} ({milliseconds} ms)
      </td>
      <td>
        {serial !== undefined && (
          <Button
            class="slim"
            label={isRequested ? 'Requested' : 'Deliver again'}
            aria-label={`${isRequested ? 'Requested' : 'Deliver again'}: ${event}`}
            disabled={again.isBusy || isRequested}
            act={() => deliver(serial)}
          />
        )}
        <Alert messages={again.refused} />
      </td>
    </tr>
  );
}
