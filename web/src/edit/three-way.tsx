import { objectType } from '@cadastre/rpsl';
import { useState } from 'preact/hooks';
import { Button } from '../design/button.js';
import { focusPage, takesFocus } from '../design/focus.js';
import { Table } from '../design/table.js';
import type { Written } from './draft.js';
import { type Choice, isConflict, type Stretch, settled } from './merge.js';

interface ThreeWayProps {
  readonly type: string;
  readonly stretches: readonly Stretch[];
  readonly take: (merged: Written[]) => void;
}

/** Two changes of the same object, attribute by attribute: the state before, theirs, yours, and the result. */
export function ThreeWay({ type, stretches, take }: ThreeWayProps) {
  const [choices, setChoices] = useState<ReadonlyMap<number, Choice>>(new Map());
  const open = stretches.filter((stretch, index) => isConflict(stretch) && !choices.has(index)).length;
  const finish = () => {
    take(settled(stretches, choices));
    focusPage();
  };
  const rows = stretches.flatMap((stretch, index) => (isShown(stretch, type) ? [{ stretch, index }] : []));
  return (
    <section class="card stack three-way" aria-labelledby="three-way">
      <h2 id="three-way" tabIndex={-1} ref={takesFocus}>
        Someone else changed this object
      </h2>
      <p>
        It is no longer the state that you began with, so nothing is saved yet. Changes of only one of you are included.{' '}
        {stretches.some(isConflict) && 'Choose where both of you changed the same.'}
      </p>
      <div class="scrolls">
        <Table class="stacks" caption="The changed attributes" columns={['Stored before', 'Theirs', 'Yours', 'Result']}>
          {rows.map(({ stretch, index }) => (
            <tr key={index}>
              <Lines label="Stored before" of={stretch.stored} />
              <Lines label="Theirs" of={stretch.theirs} />
              <Lines label="Yours" of={stretch.yours} />
              <td data-label="Result">
                {stretch.by === undefined ? (
                  <Chooser
                    name={`choice-${index}`}
                    about={nameOf(stretch)}
                    chosen={choices.get(index)}
                    choose={(choice) => setChoices(new Map(choices).set(index, choice))}
                  />
                ) : (
                  results[stretch.by]
                )}
              </td>
            </tr>
          ))}
        </Table>
      </div>
      <p class="row">
        <Button class="primary" label="Continue with the result" disabled={open > 0} act={finish} />
        <span class="soft" role="status">
          {open > 0 && `${open} to choose`}
        </span>
      </p>
    </section>
  );
}

const results = { nobody: '', you: 'Yours', them: 'Theirs', both: 'Both' };

/** Hides unchanged attributes, and those that the registry generates. */
function isShown({ by, stored, theirs, yours }: Stretch, type: string): boolean {
  const isGenerated = ({ name }: Written) =>
    objectType(type)?.attributes.some((use) => use.name === name && use.requirement === 'generated');
  return by !== 'nobody' && ![...stored, ...theirs, ...yours].every(isGenerated);
}

function nameOf({ stored, theirs, yours }: Stretch): string {
  return [...stored, ...theirs, ...yours][0]?.name ?? '';
}

function Lines({ label, of: attributes }: { readonly label: string; readonly of: readonly Written[] }) {
  return (
    <td class="mono" data-label={label}>
      {attributes.length === 0 ? (
        <span class="soft">none</span>
      ) : (
        attributes.map(({ name, value }, index) => (
          <div key={index}>
            {name}: {value}
          </div>
        ))
      )}
    </td>
  );
}

interface ChooserProps {
  readonly name: string;
  readonly about: string;
  readonly chosen: Choice | undefined;
  readonly choose: (choice: Choice) => void;
}

function Chooser({ name, about, chosen, choose }: ChooserProps) {
  const options = [
    ['theirs', 'Theirs'],
    ['yours', 'Yours'],
  ] as const;
  return (
    <fieldset class="stack">
      <legend class="visually-hidden">Whose {about}</legend>
      {options.map(([choice, label]) => (
        <label key={choice}>
          <input type="radio" name={name} checked={chosen === choice} onChange={() => choose(choice)} /> {label}
        </label>
      ))}
    </fieldset>
  );
}
