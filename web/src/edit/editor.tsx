import { useEffect, useState } from 'preact/hooks';
import { useSession } from '../account/session.js';
import { SignInButton } from '../account/sign-in-button.js';
import type { Message } from '../api/message.js';
import { lookUpText } from '../api/objects.js';
import { isNotFound } from '../api/registry.js';
import { Refused, useAttempt } from '../design/attempt.js';
import { Messages } from '../design/messages.js';
import { type ObjectName, paths } from '../paths.js';
import { Link, navigate } from '../router.js';
import { withHint } from './attribute-help.js';
import { DeleteObject } from './delete-object.js';
import {
  attributesOf,
  type Draft,
  draftOfText,
  isFilteredText,
  submitted,
  textOf,
  textOfAttributes,
  useOf,
  type Written,
} from './draft.js';
import { useDryRun } from './dry-run.js';
import { FoundWork } from './found-work.js';
import { isConflict, merge, type Stretch, settled } from './merge.js';
import { ObjectForm } from './object-form.js';
import { placeMessages } from './placed-messages.js';
import { isAccepted, Review } from './review.js';
import { SessionEnded } from './session-ended.js';
import { ThreeWay } from './three-way.js';
import { useUnsavedWork } from './unsaved-work.js';
import { type Destination, write } from './write.js';

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

/** What the tab keeps of an object in the editor. */
interface Work {
  /** The stored object (RPSL) with which the changes began; empty for a new one. */
  readonly stored: string;
  /** The object with its changes. */
  readonly text: string;
  /** Whether it is written as text. */
  readonly isText: boolean;
}

/** A change by somebody else, merged with that of the user. */
interface Meeting {
  readonly theirs: string;
  readonly type: string;
  readonly stretches: readonly Stretch[];
}

/**
 * Edits an object as form or text, and shows the registry's messages; the registry has dry-run everything that is
 * saved. Changes outlive the page, and are merged with what others change meanwhile.
 */
export function Editor({ to, heading, about, before, draft: first, maintainers }: EditorProps) {
  const session = useSession();
  const [stored, setStored] = useState(before);
  const [begun] = useState(() => first && textOf(first));
  const [text, setText] = useState(begun ?? before);
  const [form, setForm] = useState<Draft | undefined>(() => first ?? asDraft(before));
  const [isText, setIsText] = useState(form === undefined);
  const [meeting, setMeeting] = useState<Meeting>();
  const saving = useAttempt();
  const read = isText ? draftOfText(text) : form!;
  const draft = 'fault' in read ? undefined : read;
  const written = isText ? text : textOf(form!);
  const isTouched = written !== (begun ?? stored);
  const account = session.state === 'signed-in' ? session.account : '';
  const trial = useDryRun(to, draft && isTouched && !meeting ? submitted(draft) : [], account);
  const page = 'key' in to ? paths.edit(to) : paths.create(to.type);
  const unsaved = useUnsavedWork<Work>(page, isTouched ? { stored, text: written, isText } : undefined);
  const { found } = unsaved;
  const hasEnded = session.state === 'signed-out' && session.hasEnded;
  const last = 'last' in trial ? trial.last : undefined;
  const said = (last?.messages ?? []).map((message) => withHint(message, draft?.type ?? ''));
  const placed = placeMessages(said, draft?.rows ?? []);

  const load = (next: string, asText: boolean) => {
    const form = asDraft(next);
    setText(next);
    setForm(form);
    setIsText(asText || form === undefined);
  };
  const showText = () => {
    setText(written);
    setIsText(true);
  };
  const showForm = () => {
    setForm(draft);
    setIsText(false);
  };

  /** Goes on with work that began with an older state of the object, or with less of it. */
  const meet = (work: Work, theirs: string) => {
    const met = meetingOf(work, theirs);
    if (met === undefined) setStored(theirs);
    else if (isFilteredText(work.stored) && !met.stretches.some(isConflict))
      take(met, settled(met.stretches, new Map()), work.isText);
    else setMeeting(met);
  };
  const take = ({ theirs, type }: Meeting, merged: readonly Written[], asText: boolean) => {
    setStored(theirs);
    load(textOfAttributes(type, merged), asText);
    setMeeting(undefined);
    focusPage();
  };
  const restore = (work: Work) => {
    unsaved.answer();
    load(work.text, work.isText);
    setStored(work.stored);
    // Without a session the registry shows less than was stored.
    const showsLess = isFilteredText(before) && !isFilteredText(work.stored);
    if (work.stored !== before && !showsLess) meet(work, before);
  };
  useEffect(() => {
    if (found?.resumes) restore(found.work);
  }, []);

  /** The registry refused a write because the object is no longer what the user began with (412). */
  const meetChange = async (): Promise<readonly Message[] | undefined> => {
    if (!('key' in to)) return undefined;
    try {
      meet({ stored, text: written, isText }, await lookUpText(to));
      return undefined;
    } catch (error) {
      if (!isNotFound(error)) throw error;
      return [{ severity: 'Error', text: 'Somebody else deleted this object. Your changes stay on this page.' }];
    }
  };
  useEffect(() => {
    if (last?.status === 412) void saving.begin(meetChange);
  }, [last]);

  const save = () =>
    saving.begin(async () => {
      const answer = await write(to, submitted(draft!), { dryRun: false });
      if (answer.status === 412) return meetChange();
      if (!isAccepted(answer) || !answer.object) return answer.messages;
      unsaved.finish();
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
      {hasEnded ? <SessionEnded isKept={unsaved.isKept} /> : <Hints before={stored} />}
      {isTouched && !unsaved.isKept && (
        <p class="small soft">This browser cannot keep your changes: save them before you leave this page.</p>
      )}
      {found && !found.resumes && (
        <FoundWork
          saved={found.saved}
          restore={() => {
            restore(found.work);
            focusPage();
          }}
          discard={() => {
            unsaved.answer();
            focusPage();
          }}
        />
      )}
      {meeting ? (
        <ThreeWay type={meeting.type} stretches={meeting.stretches} take={(merged) => take(meeting, merged, isText)} />
      ) : (
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
              before={stored}
              rest={isText ? said : placed.rest}
              source={to.source}
              maintainers={maintainers}
            />
            {!hasEnded && <Refused attempt={saving} />}
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
              <DeleteObject
                name={to}
                maintainers={maintainers}
                deleted={() => {
                  unsaved.finish();
                  navigate(paths.object(to, 'history'));
                }}
              />
            )}
          </div>
        </div>
      )}
    </div>
  );
}

/** The merge of unsaved work with a newer state of the object; undefined when one of them cannot be read. */
function meetingOf({ stored, text }: Work, theirs: string): Meeting | undefined {
  const [before, now, wanted] = [asDraft(stored), asDraft(theirs), asDraft(text)];
  if (!before || !now || !wanted) return undefined;
  const isMultiple = (name: string) => useOf(now, name)?.cardinality !== 'single';
  const texts = { stored: attributesOf(before), theirs: attributesOf(now), yours: attributesOf(wanted) };
  return { theirs, type: now.type, stretches: merge(texts, isMultiple) };
}

/** The button that had the focus is gone: the keyboard goes on at the top of the page. */
function focusPage(): void {
  document.getElementById('main')?.focus({ preventScroll: true });
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
  if (!isFilteredText(before)) return null;
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
