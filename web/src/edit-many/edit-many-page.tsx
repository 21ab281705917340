import { useState } from 'preact/hooks';
import { type BatchResult, maxObjects } from '../api/batch.js';
import { LinesField } from '../design/field.js';
import { Show } from '../design/load.js';
import { AskVisitor } from '../edit/ask-visitor.js';
import { tabStorage } from '../edit/saved-work.js';
import type { Saving } from '../edit/saving.js';
import { useWriting } from '../edit/source-and-maintainers.js';
import { useWriteFlow } from '../edit/write-flow.js';
import { namePath, type ObjectName, paths } from '../paths.js';
import { type AttributeChange, isComplete, noChange } from './attribute-change.js';
import { ChangeForm } from './change-form.js';
import './edit-many.css';
import { amount, numberText } from '../design/format.js';
import { namesText, readNames } from './named-objects.js';
import { planOf } from './plan.js';
import { SavedList, UntilSaved, type WhenSaved } from './saved-objects.js';
import { dropSelection, findSelection } from './selection.js';
import { useStoredTexts } from './stored-texts.js';
import { maxTogether } from './transactions.js';
import { TooMany, WriteTogether } from './write-together.js';

/** The page that makes the same change in many objects. */
export function EditManyPage() {
  return <UntilSaved title="Edit many objects">{(saved) => <EditMany saved={saved} />}</UntilSaved>;
}

/** What the tab stores of the page. */
interface Work {
  /** The names of the objects, as the user writes them. */
  readonly names: string;
  readonly change: AttributeChange;
}

function EditMany({ saved }: WhenSaved) {
  const { names, setNames, choose, objects, earlier, notice, ...rest } = useManyObjects(saved);
  return (
    <div class="stack">
      <h1>Edit many objects</h1>
      <p class="soft">
        One change of an attribute, in up to {numberText(maxTogether)} objects. Up to {maxObjects} are one transaction:
        all of them are saved, or none.
      </p>
      {notice}
      <div class="stack">
        <div inert={rest.saving.isBusy}>
          <ChooseObjects names={names} set={setNames} choose={() => choose(names)} />
        </div>
        {earlier.length > 0 && (
          <details class="card">
            <summary>
              {amount(earlier.length, 'object is saved', 'objects are saved')}; the others are still chosen
            </summary>
            <SavedList results={earlier} />
          </details>
        )}
        {objects.length > maxTogether ? (
          <TooMany count={objects.length} max={maxTogether} />
        ) : (
          objects.length > 0 && <AskVisitor>{() => <ChosenObjects names={objects} {...rest} />}</AskVisitor>
        )}
      </div>
    </div>
  );
}

/** The objects that the user chooses, and their change, which the tab stores. */
function useManyObjects(savedAll: WhenSaved['saved']) {
  const { source } = useWriting();
  const [selected] = useState(() => findSelection(tabStorage()));
  const [names, setNames] = useState(selected);
  /** The names whose objects are shown. */
  const [chosen, setChosen] = useState(selected);
  const [change, setChange] = useState(noChange);
  /** The objects of those transactions that are saved, when others failed. */
  const [earlier, setEarlier] = useState<readonly BatchResult[]>([]);
  const isTouched = names !== selected || change !== noChange;
  const choose = (text: string) => {
    setNames(text);
    setChosen(text);
  };
  const restore = (stored: Work) => {
    choose(stored.names);
    setChange(stored.change);
  };
  const work = isTouched ? { names, change } : undefined;
  const { saving, notice, finish } = useWriteFlow<Work>(paths.editMany, work, restore);
  const saved = (results: readonly BatchResult[]) => {
    finish();
    dropSelection(tabStorage());
    savedAll([...earlier, ...results]);
  };
  const objects = readNames(chosen, source).names;
  const leaveOut = (others: readonly ObjectName[]) => {
    const left = new Set(others.map(namePath));
    choose(namesText(objects.filter((name) => !left.has(namePath(name)))));
  };
  const savedSome = (results: readonly BatchResult[], some: readonly ObjectName[]) => {
    setEarlier([...earlier, ...results]);
    leaveOut(some);
  };
  const isNewChoice = chosen !== selected;
  return {
    names,
    setNames,
    choose,
    objects,
    earlier,
    notice,
    change,
    setChange,
    isNewChoice,
    saving,
    leaveOut,
    saved,
    savedSome,
  };
}

interface ChooseObjectsProps {
  readonly names: string;
  readonly set: (names: string) => void;
  readonly choose: () => void;
}

/** The names of the objects, one on each line. */
function ChooseObjects({ names, set, choose }: ChooseObjectsProps) {
  const { source } = useWriting();
  const read = readNames(names, source);
  const submit = (event: Event) => {
    event.preventDefault();
    choose();
  };
  return (
    <form class="card stack" onSubmit={submit}>
      <LinesField
        id="names"
        label="Objects"
        hint="One on each line: type and key, or the address of its page."
        rows={Math.min(10, Math.max(4, names.split('\n').length))}
        value={names}
        autocomplete="off"
        placeholder={'inetnum 192.0.2.0 - 192.0.2.255\nroute 192.0.2.0/24AS64500'}
        set={set}
      />
      {read.unknown.length > 0 && (
        <p class="unknown-names" role="status">
          Not the name of an object of {source}:{' '}
          {read.unknown
            .slice(0, 5)
            .map((line) => `“${line.slice(0, 80)}”`)
            .join(', ')}
          {read.unknown.length > 5 && ` and ${read.unknown.length - 5} more`}
        </p>
      )}
      <p>
        <button type="submit" disabled={read.names.length === 0}>
          Choose {amount(read.names.length, 'object')}
        </button>
      </p>
    </form>
  );
}

interface ChosenObjectsProps extends WhenSaved {
  readonly names: readonly ObjectName[];
  readonly change: AttributeChange;
  readonly setChange: (change: AttributeChange) => void;
  /** Whether the user chose the objects on this page. */
  readonly isNewChoice: boolean;
  readonly saving: Saving;
  readonly leaveOut: (names: readonly ObjectName[]) => void;
  readonly savedSome: (results: readonly BatchResult[], names: readonly ObjectName[]) => void;
}

function ChosenObjects({ names, change, setChange, isNewChoice, ...rest }: ChosenObjectsProps) {
  const { stored, refresh } = useStoredTexts(names);
  return (
    <Show of={stored} what="the objects">
      {(texts) => {
        const { drafts, proposals, unchanged } = planOf(names, texts, change);
        return (
          <>
            <div inert={rest.saving.isBusy}>
              <ChangeForm drafts={drafts} change={change} set={setChange} takesFocus={isNewChoice} />
            </div>
            {unchanged.length > 0 && <Unchanged unchanged={unchanged} total={names.length} />}
            {isComplete(change) && <WriteTogether proposals={proposals} refresh={refresh} {...rest} />}
          </>
        );
      }}
    </Show>
  );
}

function Unchanged({ unchanged, total }: Pick<ReturnType<typeof planOf>, 'unchanged'> & { readonly total: number }) {
  return (
    <details class="card">
      <summary>
        {amount(unchanged.length, 'object does not change', 'objects do not change')}, of {total}
      </summary>
      <ul class="list saved-objects">
        {unchanged.map(({ name, why }) => (
          <li key={namePath(name)}>
            <span class="mono">
              {name.type} {name.key}
            </span>{' '}
            <span class="soft">{why}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
