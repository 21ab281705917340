import { useState } from 'preact/hooks';
import { type BatchResult, maxObjects } from '../api/batch.js';
import type { Message } from '../api/message.js';
import { LinesField } from '../design/field.js';
import { Show } from '../design/load.js';
import { Messages } from '../design/messages.js';
import { AskVisitor } from '../edit/ask-visitor.js';
import type { Saving } from '../edit/saving.js';
import { useWriting } from '../edit/source-and-maintainers.js';
import { useWriteFlow } from '../edit/write-flow.js';
import { paths } from '../paths.js';
import './edit-many.css';
import { type PastedObject, pastedObjects, proposalsOf } from './pasted-objects.js';
import { UntilSaved, type WhenSaved } from './saved-objects.js';
import { useStoredTexts } from './stored-texts.js';
import { TooMany, WriteTogether } from './write-together.js';

/** The page that writes the objects of a text together. */
export function SeveralObjects() {
  return <UntilSaved title="Write several objects">{(saved) => <Several saved={saved} />}</UntilSaved>;
}

function Several({ saved }: WhenSaved) {
  const { source } = useWriting();
  const [text, setText] = useState('');
  const work = text !== '' ? { text } : undefined;
  const restore = (stored: { readonly text: string }) => setText(stored.text);
  const { saving, notice, finish: forget } = useWriteFlow(paths.create('several'), work, restore);
  const finish = (results: readonly BatchResult[]) => {
    forget();
    saved(results);
  };
  const objects = pastedObjects(text, source);
  return (
    <div class="stack">
      <h1>Write several objects</h1>
      <p class="soft">
        Up to {maxObjects} objects in one transaction: all of them are saved, or none. Objects that exist are changed,
        others are created; an object with an attribute “delete”, with the reason, is deleted.
      </p>
      {notice}
      <div class="card" inert={saving.isBusy}>
        <LinesField
          id="text"
          label="The objects as text, with a blank line between them"
          rows={Math.min(30, Math.max(12, text.split('\n').length + 1))}
          value={text}
          autocomplete="off"
          set={setText}
        />
      </div>
      {objects.length > maxObjects ? (
        <TooMany count={objects.length} max={maxObjects} />
      ) : (
        objects.length > 0 && (
          <AskVisitor>{() => <PastedReview objects={objects} saving={saving} saved={finish} />}</AskVisitor>
        )
      )}
    </div>
  );
}

interface PastedReviewProps extends WhenSaved {
  readonly objects: readonly PastedObject[];
  readonly saving: Saving;
}

function PastedReview({ objects, ...rest }: PastedReviewProps) {
  const names = objects.flatMap((object) => ('draft' in object && object.name ? [object.name] : []));
  const { stored, refresh } = useStoredTexts(names);
  const faults = objects.flatMap((object) => ('fault' in object ? [faultMessage(object)] : []));
  if (faults.length > 0) return <Messages messages={faults} />;
  return (
    <Show of={stored} what="the stored objects">
      {(texts) => <WriteTogether {...rest} {...proposalsOf(objects, texts)} refresh={refresh} />}
    </Show>
  );
}

function faultMessage({ text, fault }: Extract<PastedObject, { fault: string }>): Message {
  return { severity: 'Error', text: `${fault}: “${text.trim().split('\n')[0]!.slice(0, 80)}”` };
}
