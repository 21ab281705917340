import { objectType } from '@cadastre/rpsl';
import { useState } from 'preact/hooks';
import type { ObjectName } from '../paths.js';
import { add, addable, change, type Draft, drop, fill, type Row, useOf } from './draft.js';
import { FormRow } from './form-row.js';
import type { PlacedMessages } from './placed-messages.js';

interface ObjectFormProps {
  readonly draft: Draft;
  readonly set: (draft: Draft) => void;
  readonly messages: PlacedMessages;
  readonly source: string;
  readonly maintainers: readonly ObjectName[];
  /** The key of an existing object cannot change. */
  readonly exists: boolean;
}

/** An object as a form based on its template, mandatory attributes first. */
export function ObjectForm(props: ObjectFormProps) {
  const { draft } = props;
  const requirementOf = ({ name }: Row) => useOf(draft, name)?.requirement;
  const mandatory = draft.rows.filter((row) => requirementOf(row) === 'mandatory');
  const optional = draft.rows.filter((row) => !['mandatory', 'generated'].includes(requirementOf(row) ?? ''));
  return (
    <div class="stack">
      <section class="card object-form" aria-labelledby="mandatory">
        <h2 id="mandatory">Mandatory</h2>
        {mandatory.map((row) => (
          <DraftRow key={row.id} {...props} row={row} mandatory />
        ))}
      </section>
      <section class="card object-form" aria-labelledby="optional">
        <h2 id="optional">Optional</h2>
        {optional.map((row) => (
          <DraftRow key={row.id} {...props} row={row} mandatory={false} />
        ))}
        <AddAttribute draft={draft} set={props.set} />
      </section>
    </div>
  );
}

function DraftRow({
  draft,
  set,
  row,
  mandatory,
  messages,
  source,
  maintainers,
  exists,
}: ObjectFormProps & { row: Row; mandatory: boolean }) {
  const isKey = exists && (objectType(draft.type)?.keyAttributes as readonly string[] | undefined)?.includes(row.name);
  const isLast = mandatory && draft.rows.filter(({ name }) => name === row.name).length === 1;
  const multiple = useOf(draft, row.name)?.cardinality === 'multiple';
  return (
    <FormRow
      row={row}
      type={draft.type}
      source={source}
      maintainers={maintainers}
      messages={messages.byRow.get(row.id) ?? []}
      mandatory={mandatory}
      {...(isKey ? {} : { change: (value: string) => set(change(draft, row.id, value)) })}
      {...(multiple ? { fill: (lines: string[]) => set(fill(draft, row.id, lines)) } : {})}
      {...(isKey || isLast ? {} : { drop: () => set(drop(draft, row.id)) })}
    />
  );
}

function AddAttribute({ draft, set }: { readonly draft: Draft; readonly set: (draft: Draft) => void }) {
  const offers = addable(draft);
  const [wanted, setWanted] = useState('');
  const chosen = offers.some(({ name }) => name === wanted) ? wanted : (offers[0]?.name ?? '');
  return (
    <div class="add-attribute">
      <label class="visually-hidden" for="add-attribute">
        Attribute to add
      </label>
      <select id="add-attribute" value={chosen} onChange={(event) => setWanted(event.currentTarget.value)}>
        {offers.map(({ name }) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
      <button type="button" onClick={() => set(add(draft, chosen))}>
        Add
      </button>
    </div>
  );
}
