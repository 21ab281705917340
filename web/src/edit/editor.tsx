import { useEffect, useRef, useState } from 'preact/hooks';
import { useSession } from '../account/session.js';
import { SignInHint } from '../account/sign-in-button.js';
import type { Message } from '../api/message.js';
import { lookUpText, type TaggedText } from '../api/objects.js';
import { undefinedOn } from '../api/registry.js';
import { Button } from '../design/button.js';
import { Messages } from '../design/messages.js';
import { hasSeveralObjects, storePasted } from '../edit-many/pasted-objects.js';
import { type ObjectName, paths } from '../paths.js';
import { goTo, Link } from '../router.js';
import type { Outcome } from '../scroll.js';
import { withHint } from './attribute-help.js';
import { DeleteObject } from './delete-object.js';
import { type Draft, isFilteredText, submitted, textOf, type Written } from './draft.js';
import { faultyLine, type PlacedMessages, placeMessages, withLines, withRoaState } from './draft-messages.js';
import { type Trial, useDryRun } from './dry-run.js';
import { hasYourChanges, isConflict, type Merge, mergedText, mergeTexts, settled } from './merge.js';
import { ObjectForm } from './object-form.js';
import { type ObjectText, useObjectText } from './object-text.js';
import { isAccepted, Review } from './review.js';
import { useSaveKeys } from './save-keys.js';
import { tabStorage } from './saved-work.js';
import { SavingState } from './saving.js';
import { ThreeWay } from './three-way.js';
import { type Destination, write } from './write.js';
import { useWriteFlow } from './write-flow.js';

interface EditorProps {
  readonly to: Destination;
  readonly heading: string;
  readonly about: string;
  /** The current object; empty for a new one. */
  readonly before: TaggedText;
  /** The initial text, if it differs from the current object. */
  readonly draft: Draft | undefined;
  /** Whether the draft can be saved unchanged: an earlier version. */
  readonly isRestored: boolean;
  /** The address of the page, under which the tab stores its changes. */
  readonly page: string;
}

/** What the tab stores of an object in the editor. */
interface Work {
  /** The stored object with which the changes began; empty for a new one. */
  readonly stored: TaggedText;
  /** The object with its changes. */
  readonly text: string;
  /** Whether the user writes it as text. */
  readonly isText: boolean;
}

/**
 * Edits an object as form or text, and shows the registry's messages; everything that is saved was dry-run before.
 * Changes survive the page, and are merged with concurrent changes.
 */
export function Editor(props: EditorProps) {
  const { to, heading, about } = props;
  const editing = useEditing(props);
  const { object, trial, flow, canSave, save, leaveFor } = editing;
  const { stored, merge, take } = editing.merging;
  const { draft, isText, setForm } = object;
  const messages = messagesOn(object, trial);
  const fields = useRef<HTMLDivElement>(null);
  useSaveKeys(fields, trial.state === 'checking', () => canSave && !merge && save());
  return (
    <div class="stack">
      <header class="row spread">
        <h1>{heading}</h1>
        <FormOrText object={object} />
      </header>
      {about !== '' && <p class="soft">{about}</p>}
      {!flow.hasEnded && <Hints before={stored.text} />}
      {flow.notice}
      {merge ? (
        <ThreeWay type={merge.type} stretches={merge.stretches} take={(merged) => take(merge, merged, isText)} />
      ) : (
        <div class="beside editor">
          <div class="stack" inert={flow.saving.isBusy} ref={fields}>
            {isText || !draft ? (
              <TextForm object={object} left={() => leaveFor(paths.create('several'))} />
            ) : (
              <ObjectForm draft={draft} set={setForm} messages={messages} exists={'key' in to} />
            )}
          </div>
          <BeforeSaving to={to} editing={editing} rest={messages.rest} />
        </div>
      )}
    </div>
  );
}

/** An object in the editor: what the user writes, its dry run, and how it is saved. */
function useEditing({ to, before, draft: first, isRestored, page }: EditorProps) {
  const [begun] = useState(() => (first && !isRestored ? textOf(first) : undefined));
  const object = useObjectText(first ?? before.text);
  const merging = useMerge(before, object);
  const { stored, merge, mergeWith, restore } = merging;
  const { written, draft, isText } = object;
  const isTouched = written !== (begun ?? stored.text);
  const flow = useWriteFlow<Work>(page, isTouched ? { stored, text: written, isText } : undefined, restore);
  const { saving } = flow;
  const trial = useDryRun(to, draft && isTouched && !merge ? submitted(draft) : [], stored.tag, flow.account);

  const leaveFor = (place: string, outcome?: Outcome) => {
    flow.finish();
    goTo(place, outcome && { outcome });
  };
  /** The registry refused to change the object because its state is no longer the initial one (412). */
  const mergeNow = async (name: ObjectName, isSaving: boolean): Promise<readonly Message[] | undefined> => {
    const theirs = await undefinedOn(lookUpText(name), 404);
    if (theirs === undefined) return [deletedMeanwhile];
    if (mergeWith(theirs, isSaving) === 'saved') leaveFor(paths.object(name), 'saved');
    return undefined;
  };
  useEffect(() => {
    if (trial.last?.status === 412 && 'key' in to) void saving.begin(() => mergeNow(to, false));
  }, [trial.last]);
  const save = () =>
    saving.begin(async () => {
      const isNew = !('key' in to);
      const options = { dryRun: false, ...(isNew ? { key: saving.key } : { tag: stored.tag }) };
      const answer = await saving.once((signal) => write(to, submitted(draft!), { ...options, signal }));
      if (answer.status === 412 && !isNew) return mergeNow(to, true);
      if (!isAccepted(answer) || !answer.object) return answer.messages;
      leaveFor(paths.object(answer.object.name), isNew ? 'created' : 'saved');
      return undefined;
    });
  const canSave = !saving.isBusy && draft !== undefined && trial.state === 'checked' && isAccepted(trial.last);
  return { object, merging, flow, trial, canSave, save, leaveFor };
}

/** The registry's messages about an object, at their rows. */
function messagesOn({ draft, isText, written }: ObjectText, { last }: Trial): PlacedMessages {
  const checked = last && draft ? withRoaState(last.messages, draft) : (last?.messages ?? []);
  const messages = checked.map((message) => withHint(message, draft?.type ?? ''));
  const placed = placeMessages(messages, draft?.rows ?? []);
  return isText && draft ? { ...placed, rest: withLines(messages, draft, written) } : placed;
}

interface BeforeSavingProps extends Pick<EditorProps, 'to'> {
  readonly editing: ReturnType<typeof useEditing>;
  /** Messages without a row. */
  readonly rest: readonly Message[];
}

/** What saving would do, and the buttons that save and delete. */
function BeforeSaving({ to, editing, rest }: BeforeSavingProps) {
  const { trial, flow, canSave, save, leaveFor } = editing;
  const { stored } = editing.merging;
  return (
    <div class="stack">
      <Review trial={trial} before={stored.text} rest={rest} />
      {!flow.hasEnded && <SavingState saving={flow.saving} />}
      <p class="row">
        <Button
          class="primary"
          label="Save"
          disabled={!canSave}
          aria-keyshortcuts="Control+S Meta+S"
          title="Ctrl+S, or Enter in a field"
          act={save}
        />
        {'key' in to && <Link class="button" to={paths.object(to)} text="Cancel" />}
      </p>
      {'key' in to && <DeleteObject name={to} tag={stored.tag} deleted={() => leaveFor(paths.object(to, 'history'))} />}
    </div>
  );
}

/** The stored object with which the changes began, and their merge with a newer state of it, once there is one. */
function useMerge(before: TaggedText, object: ObjectText) {
  const [stored, setStored] = useState(before);
  const [merge, setMerge] = useState<Merge>();
  /** Continues with merged attributes. */
  const take = (from: Merge, merged: readonly Written[], asText: boolean) => {
    setStored(from.theirs);
    object.load(mergedText(from, merged), asText);
    setMerge(undefined);
  };
  const restore = (work: Work) => {
    object.load(work.text, work.isText);
    if (work.stored.text === before.text) return;
    setStored(work.stored);
    const wasFiltered = isFilteredText(work.stored.text);
    // Without a session the registry shows less than was stored.
    if (isFilteredText(before.text) && !wasFiltered) return;
    const next = mergeTexts(work.stored.text, work.text, before);
    if (next === undefined) setStored(before);
    else if (wasFiltered && !next.stretches.some(isConflict))
      take(next, settled(next.stretches, new Map()), work.isText);
    else setMerge(next);
  };
  /** Merges the changes with a newer state. `saved`: that has them already, although the response to saving was lost. */
  const mergeWith = (theirs: TaggedText, isSaving: boolean): 'saved' | undefined => {
    const next = mergeTexts(stored.text, object.written, theirs);
    if (next && isSaving && hasYourChanges(next)) return 'saved';
    if (next) setMerge(next);
    else setStored(theirs);
    return undefined;
  };
  return { stored, merge, take, restore, mergeWith };
}

const deletedMeanwhile: Message = {
  severity: 'Error',
  text: 'Someone else deleted this object. Your changes remain on this page.',
};

/** Hints before editing. */
function Hints({ before }: { readonly before: string }) {
  const { state } = useSession();
  if (state === 'signed-out')
    return <SignInHint class="card">You can try everything here; to save, sign in.</SignInHint>;
  if (!isFilteredText(before)) return null;
  return (
    <p class="card">
      You see this object without its protected attributes, because you act for none of its maintainers.
    </p>
  );
}

function FormOrText({ object: { isText, draft, showForm, showText } }: { readonly object: ObjectText }) {
  return (
    <fieldset class="row switch">
      <legend class="visually-hidden">Write as</legend>
      <Button class="slim" label="Form" aria-pressed={!isText} disabled={isText && !draft} act={showForm} />
      <Button class="slim" label="Text" aria-pressed={isText} disabled={isText} act={showText} />
    </fieldset>
  );
}

interface TextFormProps {
  readonly object: ObjectText;
  /** The page for several objects has got the text. */
  readonly left: () => void;
}

function TextForm({ object: { written: text, setText, fault }, left }: TextFormProps) {
  const [isTooMuch, setTooMuch] = useState(false);
  const writeTogether = (several: string) => (storePasted(tabStorage(), several) ? left() : setTooMuch(true));
  const input = ({
    currentTarget: { value },
    inputType,
  }: InputEvent & { readonly currentTarget: HTMLTextAreaElement }) => {
    setText(value);
    if (inputType === 'insertFromPaste' && hasSeveralObjects(value)) writeTogether(value);
  };
  return (
    <div class="card stack">
      <textarea
        aria-label="The object as text"
        class="mono"
        rows={Math.max(16, text.split('\n').length + 1)}
        value={text}
        spellcheck={false}
        autocomplete="off"
        aria-invalid={fault !== undefined}
        onInput={input}
      />
      {fault !== undefined && hasSeveralObjects(text) ? (
        <p class="row" role="status">
          {isTooMuch ? (
            'These are several objects, and this browser cannot store them: write one at a time.'
          ) : (
            <>
              These are several objects.
              <Button class="slim" label="Write them together" act={() => writeTogether(text)} />
            </>
          )}
        </p>
      ) : (
        fault !== undefined && (
          <Messages messages={[{ severity: 'Error', text: `Line ${faultyLine(text)}: ${fault}` }]} />
        )
      )}
    </div>
  );
}
