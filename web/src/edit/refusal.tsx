import { useSession } from '../account/session.js';
import { SignInButton } from '../account/sign-in-button.js';
import type { Message } from '../api/message.js';
import { Messages } from '../design/messages.js';
import { type ObjectName, paths } from '../paths.js';
import { Link } from '../router.js';

/** Whether messages report missing authority. */
export function isRefusal({ maintainers }: Message): boolean {
  return maintainers !== undefined;
}

interface RefusalProps {
  readonly messages: readonly Message[];
  readonly source: string;
  readonly maintainers: readonly ObjectName[];
}

/** Explains which maintainers could authorise, when the user acts for none of them. */
export function Refusal({ messages, source, maintainers }: RefusalProps) {
  const session = useSession();
  // The page says so; signing in again shows who has authority.
  if (session.state === 'signed-out' && session.hasEnded) return null;
  const wanted = [...new Set(messages.flatMap((message) => message.maintainers ?? []))];
  return (
    <div class="refusal stack" role="status">
      <h3>This needs another maintainer</h3>
      {wanted.length > 0 ? (
        <p>
          The registry accepts this from{' '}
          {wanted.map((key, index) => (
            <span key={key}>
              {index > 0 && ' or '}
              <Link to={paths.object({ source, type: 'mntner', key })} class="mono">
                {key}
              </Link>
            </span>
          ))}
          {wanted.length > 1 && ' (one of them for each of the objects below)'}.
        </p>
      ) : (
        <p>No maintainer can authorise it.</p>
      )}
      {session.state === 'signed-out' ? (
        <p class="row">
          You are not signed in. <SignInButton class="slim" />
        </p>
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
