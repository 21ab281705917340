import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useAttempt } from '../design/attempt.js';
import { Button } from '../design/button.js';
import { CopyButton } from '../design/copy-button.js';
import { focusHeadingOf, takesFocus } from '../design/focus.js';
import { Alert } from '../design/messages.js';

interface ShownOnceProps {
  readonly heading: string;
  readonly copyLabel: string;
  readonly secret: string;
  readonly put: () => void;
  /** What it is for. */
  readonly note: ComponentChildren;
}

/** A secret that the registry does not show again. */
export function ShownOnce({ heading, copyLabel, secret, put, note }: ShownOnceProps) {
  const putAway = (event: Event) => {
    focusHeadingOf(event.currentTarget as Element);
    put();
  };
  return (
    <div class="credential stack" role="status">
      <h3 tabIndex={-1} ref={takesFocus}>
        {heading}
      </h3>
      <p class="row">
        <code class="secret">{secret}</code>
        <CopyButton label={copyLabel} text={() => secret} />
        <Button class="slim" label="I have it" act={putAway} />
      </p>
      <p class="small">{note}</p>
    </div>
  );
}

interface SecretFormProps extends Omit<ShownOnceProps, 'secret' | 'put'> {
  readonly class: string;
  /** Creates what the form describes; resolves with its secret, if it has one. */
  readonly create: (form: HTMLFormElement) => Promise<string | undefined>;
  readonly children: (isBusy: boolean) => ComponentChildren;
}

/** A form that creates something with a secret. Shows the secret once; only this component holds it. */
export function SecretForm({ class: look, create, children, ...rest }: SecretFormProps) {
  const [secret, setSecret] = useState<string>();
  const creation = useAttempt();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    creation.begin(async () => void setSecret(await create(form)));
  };
  return (
    <div class="card stack">
      <form class={look} onSubmit={submit}>
        {children(creation.isBusy)}
      </form>
      <Alert messages={creation.refused} />
      {secret !== undefined && <ShownOnce {...rest} secret={secret} put={() => setSecret(undefined)} />}
    </div>
  );
}
