import { useSession } from '../account/session.js';
import { SignInHint } from '../account/sign-in-button.js';
import type { Message } from '../api/message.js';
import { Messages } from '../design/messages.js';
import { ObjectLink } from '../design/object-link.js';
import { useWriting } from './source-and-maintainers.js';

/** Whether messages report missing authority. */
export function isRefusal({ maintainers }: Message): boolean {
  return maintainers !== undefined;
}

interface WriteMessagesProps {
  readonly messages: readonly Message[];
}

/** Messages about a write; those about missing authority are explained first. */
export function WriteMessages({ messages }: WriteMessagesProps) {
  const refusals = messages.filter(isRefusal);
  return (
    <>
      {refusals.length > 0 && <Refusal messages={refusals} />}
      <Messages messages={messages.filter((message) => !isRefusal(message))} />
    </>
  );
}

/** Explains which maintainers could authorise, when the user acts for none of them. */
function Refusal({ messages }: WriteMessagesProps) {
  const { source, maintainers } = useWriting();
  const { state, hasEnded } = useSession();
  // The page says so; signing in again shows who has authority.
  if (hasEnded) return null;
  const sufficient = [...new Set(messages.flatMap((message) => message.maintainers ?? []))];
  return (
    <div class="refusal stack warned" role="status">
      <h3>This needs another maintainer</h3>
      {sufficient.length > 0 ? (
        <p>
          The registry accepts this from{' '}
          {sufficient.map((key, index) => (
            <span key={key}>
              {index > 0 && ' or '}
              <ObjectLink name={{ source, type: 'mntner', key }} />
            </span>
          ))}
          {sufficient.length > 1 && ' (one of them for each of the objects below)'}.
        </p>
      ) : (
        <p>No maintainer can authorise it.</p>
      )}
      {state === 'signed-out' ? (
        <SignInHint>You are not signed in.</SignInHint>
      ) : (
        <p>
          {maintainers.length === 0
            ? 'No maintainer has your account in its “auth”.'
            : `You act for ${maintainers.map(({ key }) => key).join(', ')}.`}
        </p>
      )}
      <details>
        <summary class="small">Messages of the registry</summary>
        <Messages messages={messages} />
      </details>
    </div>
  );
}
