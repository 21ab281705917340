import { useSession } from '../account/session.js';
import type { Message } from '../api/message.js';
import type { ShownObject, WriteAnswer } from '../api/objects.js';
import { messagesOf } from '../api/registry.js';
import { Button } from '../design/button.js';
import { amount } from '../design/format.js';
import { Messages } from '../design/messages.js';
import { DiffView } from '../object/diff-view.js';
import { textByPeople } from './draft.js';
import type { Trial } from './dry-run.js';
import { isRefusal, WriteMessages } from './refusal.js';
import type { Answer } from './write.js';

interface ReviewProps {
  readonly trial: Trial;
  /** The current object; empty for a new one. */
  readonly before: string;
  /** Messages without a row. */
  readonly rest: readonly Message[];
}

/** The effect of a write: the registry's messages about the object as a whole, and the difference. */
export function Review({ trial, before, rest }: ReviewProps) {
  if (trial.state === 'idle') return <Untouched isNew={before === ''} />;
  if (trial.state === 'failed') return <Unchecked trial={trial} />;
  return (
    <section class="card stack" aria-labelledby="review">
      <h2 id="review" class="row spread">
        Before you save <Verdict trial={trial} words={verdictOf} />
      </h2>
      <WriteMessages messages={rest} />
      {trial.last?.object && (
        <div>
          <h3>What would change</h3>
          <DiffView around={2} before={textByPeople(before)} after={textByPeople(textOfShown(trial.last.object))} />
        </div>
      )}
    </section>
  );
}

function Untouched({ isNew }: { readonly isNew: boolean }) {
  return (
    <p class="card soft">
      {isNew ? 'Fill in the form.' : 'Nothing is changed yet.'} The registry checks what you write as you go, and shows
      here what saving it would do.
    </p>
  );
}

/** Why the registry could not check it. */
export function Unchecked({ trial }: { readonly trial: Extract<Trial<unknown>, { state: 'failed' }> }) {
  return (
    <section class="stack" role="alert">
      <Messages messages={messagesOf(trial.error)} />
      {trial.retry && (
        <p class="row">
          <span>Your changes remain. The page checks them again by itself.</span>
          <Button class="slim" label="Check now" act={trial.retry} />
        </p>
      )}
    </section>
  );
}

interface VerdictProps<A> {
  readonly trial: Exclude<Trial<A>, { state: 'idle' | 'failed' }>;
  readonly words: (last: A) => string;
}

/** Whether the checked object can be saved, in few words. */
export function Verdict<A extends Answer>({ trial, words: wordsOf }: VerdictProps<A>) {
  const { hasEnded } = useSession();
  const words = trial.state === 'checking' ? 'Checking …' : hasEnded ? 'Sign in again' : wordsOf(trial.last);
  const look = trial.state === 'checking' ? 'plain' : isAccepted(trial.last) ? '' : 'warn';
  return (
    <span class={`chip ${look}`} role="status">
      {words}
    </span>
  );
}

/** Whether the registry would store it. */
export function isAccepted({ status }: Answer): boolean {
  return status === 200;
}

function verdictOf({ status, messages }: WriteAnswer): string {
  const errors = messages.filter(({ severity }) => severity === 'Error').length;
  if (status === 200) return 'Can be saved';
  if (status === 401 && errors === messages.filter(isRefusal).length) return 'Authority missing';
  return amount(errors, 'error');
}

/** The text (RPSL) of an object in the response to a write. */
export function textOfShown({ attributes }: ShownObject): string {
  return attributes.map(({ name, value }) => `${name}:${value}\n`).join('');
}
