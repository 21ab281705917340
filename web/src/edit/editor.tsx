import { useState } from 'preact/hooks';
import { useSession } from '../account/session.js';
import { SignInButton } from '../account/sign-in-button.js';
import { Refused, useAttempt } from '../design/attempt.js';
import { Messages } from '../design/messages.js';
import { type ObjectName, paths } from '../paths.js';
import { Link, navigate } from '../router.js';
import { withHint } from './attribute-help.js';
import { DeleteObject } from './delete-object.js';
import { type Draft, draftOfText, submitted, textOf } from './draft.js';
import { type Destination, useDryRun, write } from './dry-run.js';
import { ObjectForm } from './object-form.js';
import { placeMessages } from './placed-messages.js';
import { isAccepted, Review } from './review.js';

interface EditorProps {
  readonly to: Destination;
  readonly heading: string;
  readonly about: string;
  /** The current object (RPSL); empty for a new one. */
  readonly before: string;
  /** The initial text, if it differs from the current object. */
  readonly draft?: Draft;
  readonly maintainers: readonly ObjectName[];
}

/**
 * Edits an object as form or text, and shows the registry's messages; the registry has dry-run everything that is
 * saved.
 */
export function Editor({ to, heading, about, before, draft: first, maintainers }: EditorProps) {
  const [begun] = useState(() => (first ? textOf(first) : before));
  const [text, setText] = useState(begun);
  const [form, setForm] = useState<Draft | undefined>(() => first ?? asDraft(before));
  const [isText, setIsText] = useState(form === undefined);
  const saving = useAttempt();
  const read = isText ? draftOfText(text) : form!;
  const draft = 'fault' in read ? undefined : read;
  const isTouched = (isText ? text : textOf(form!)) !== begun;
  const trial = useDryRun(to, draft && isTouched ? submitted(draft) : []);
  const last = 'last' in trial ? trial.last : undefined;
  const said = (last?.messages ?? []).map((message) => withHint(message, draft?.type ?? ''));
  const placed = placeMessages(said, draft?.rows ?? []);
  const showText = () => {
    setText(textOf(form!));
    setIsText(true);
  };
  const showForm = () => {
    setForm(draft);
    setIsText(false);
  };
  const save = () =>
    saving.begin(async () => {
      const answer = await write(to, submitted(draft!), false);
      if (!isAccepted(answer) || !answer.object) return answer.messages;
      navigate(paths.object(answer.object.name));
      return undefined;
    });
  return (
    <div class="stack">
      <header class="row spread">
        <h1>{heading}</h1>
        <fieldset class="row switch">
          <legend class="visually-hidden">Write as</legend>
          <button type="button" class="slim" aria-pressed={!isText} disabled={isText && !draft} onClick={showForm}>
            Form
          </button>
          <button type="button" class="slim" aria-pressed={isText} disabled={isText} onClick={showText}>
            Text
          </button>
        </fieldset>
      </header>
      {about !== '' && <p class="soft">{about}</p>}
      <Hints before={before} />
      <div class="beside editor">
        <div class="stack">
          {isText ? (
            <TextForm text={text} set={setText} fault={'fault' in read ? read.fault : undefined} />
          ) : (
            <ObjectForm
              draft={form!}
              set={setForm}
              messages={placed}
              source={to.source}
              maintainers={maintainers}
              exists={'key' in to}
            />
          )}
        </div>
        <div class="stack">
          <Review
            trial={trial}
            before={before}
            rest={isText ? said : placed.rest}
            source={to.source}
            maintainers={maintainers}
          />
          <Refused attempt={saving} />
          <p class="row">
            <button
              type="button"
              class="primary"
              disabled={saving.isBusy || !draft || trial.state !== 'checked' || !isAccepted(trial.last)}
              onClick={save}
            >
              Save
            </button>
            {'key' in to && (
              <Link class="button" to={paths.object(to)}>
                Cancel
              </Link>
            )}
          </p>
          {'key' in to && (
            <DeleteObject name={to} maintainers={maintainers} deleted={() => navigate(paths.object(to, 'history'))} />
          )}
        </div>
      </div>
    </div>
  );
}

function asDraft(text: string): Draft | undefined {
  const draft = draftOfText(text);
  return 'fault' in draft ? undefined : draft;
}

/** Hints before editing. */
function Hints({ before }: { readonly before: string }) {
  const session = useSession();
  if (session.state === 'signed-out') {
    return (
      <p class="row card">
        You can try everything here; to save, sign in. <SignInButton class="slim" />
      </p>
    );
  }
  if (!/^source:.*# Filtered$/m.test(before)) return null;
  return (
    <p class="card">
      You see this object without its protected attributes, because you act for none of its maintainers.
    </p>
  );
}

interface TextFormProps {
  readonly text: string;
  readonly set: (text: string) => void;
  readonly fault: string | undefined;
}

function TextForm({ text, set, fault }: TextFormProps) {
  return (
    <div class="card stack">
      <label for="text" class="visually-hidden">
        The object as text
      </label>
      <textarea
        id="text"
        class="mono"
        rows={Math.max(16, text.split('\n').length + 1)}
        value={text}
        spellcheck={false}
        autocomplete="off"
        aria-invalid={fault !== undefined}
        onInput={(event) => set(event.currentTarget.value)}
      />
      {fault !== undefined && <Messages messages={[{ severity: 'Error', text: fault }]} />}
    </div>
  );
}
