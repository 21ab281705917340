import { objectType } from '@cadastre/rpsl';
import { useEffect, useState } from 'preact/hooks';
import { Button } from '../design/button.js';
import { add, addable, change, type Draft, drop, fill, type Row, useOf } from './draft.js';
import type { PlacedMessages } from './draft-messages.js';
import { FormRow } from './form-row.js';

interface ObjectFormProps {
  readonly draft: Draft;
  readonly set: (draft: Draft) => void;
  readonly messages: PlacedMessages;
  /** The key of an existing object cannot change. */
  readonly exists: boolean;
}

/** The row that gets the focus, and the controls of which the first one gets it. */
interface Entered {
  readonly row: Row | undefined;
  readonly controls: 'summary' | 'input, select, textarea';
}

/** An object as a form based on its template, mandatory attributes first. */
export function ObjectForm(props: ObjectFormProps) {
  const { draft, set } = props;
  const [entered, enter] = useState<Entered>();
  useEffect(() => {
    if (entered?.row) document.querySelector<HTMLElement>(`#row-${entered.row.id} :is(${entered.controls})`)?.focus();
  }, [entered]);
  const requirementOf = ({ name }: Row) => useOf(draft, name)?.requirement;
  const mandatory = draft.rows.filter((row) => requirementOf(row) === 'mandatory');
  const optional = draft.rows.filter((row) => !['mandatory', 'generated'].includes(requirementOf(row) ?? ''));
  const dropRow = (row: Row) => {
    const shown = [...mandatory, ...optional];
    const at = shown.indexOf(row);
    set(drop(draft, row.id));
    // Not its field: on a phone that would open the keyboard.
    enter({ row: shown[at + 1] ?? shown[at - 1], controls: 'summary' });
  };
  const addRow = (name: string) => {
    const after = add(draft, name);
    set(after);
    enter({ row: after.rows.find((row) => !draft.rows.includes(row)), controls: 'input, select, textarea' });
  };
  return (
    <div class="stack">
      <section class="card object-form" aria-labelledby="mandatory">
        <h2 id="mandatory">Mandatory</h2>
        {mandatory.map((row) => (
          <DraftRow key={row.id} {...props} row={row} mandatory dropRow={dropRow} />
        ))}
      </section>
      <section class="card object-form" aria-labelledby="optional">
        <h2 id="optional">Optional</h2>
        {optional.map((row) => (
          <DraftRow key={row.id} {...props} row={row} mandatory={false} dropRow={dropRow} />
        ))}
        <AddAttribute draft={draft} addRow={addRow} />
      </section>
    </div>
  );
}

interface DraftRowProps extends ObjectFormProps {
  readonly row: Row;
  readonly mandatory: boolean;
  readonly dropRow: (row: Row) => void;
}

function DraftRow({ draft, set, row, mandatory, messages, exists, dropRow }: DraftRowProps) {
  const isKey = exists && (objectType(draft.type)?.keyAttributes as readonly string[] | undefined)?.includes(row.name);
  const isLast = mandatory && draft.rows.filter(({ name }) => name === row.name).length === 1;
  const multiple = useOf(draft, row.name)?.cardinality === 'multiple';
  return (
    <FormRow
      row={row}
      type={draft.type}
      messages={messages.byRow.get(row.id) ?? []}
      mandatory={mandatory}
      {...(isKey ? {} : { change: (value: string) => set(change(draft, row.id, value)) })}
      {...(multiple ? { fill: (lines: string[]) => set(fill(draft, row.id, lines)) } : {})}
      {...(isKey || isLast ? {} : { drop: () => dropRow(row) })}
    />
  );
}

function AddAttribute({ draft, addRow }: { readonly draft: Draft; readonly addRow: (name: string) => void }) {
  const offers = addable(draft);
  const [picked, setPicked] = useState('');
  const chosen = offers.some(({ name }) => name === picked) ? picked : (offers[0]?.name ?? '');
  return (
    <div class="add-attribute">
      <select aria-label="Attribute to add" value={chosen} onChange={(event) => setPicked(event.currentTarget.value)}>
        {offers.map(({ name }) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
      <Button label="Add" act={() => addRow(chosen)} />
    </div>
  );
}
