import { useEffect, useRef } from 'preact/hooks';
import { Field, SelectField } from '../design/field.js';
import { amount } from '../design/format.js';
import { choicesOf, optionOf } from '../edit/attribute-help.js';
import { type Draft, useOf } from '../edit/draft.js';
import { SuggestedInput } from '../edit/suggested-input.js';
import {
  type AttributeChange,
  changeableAttributes,
  noChange,
  type Operation,
  valuesInUse,
} from './attribute-change.js';

interface ChangeFormProps {
  readonly drafts: readonly Draft[];
  readonly change: AttributeChange;
  readonly set: (change: AttributeChange) => void;
  /** Whether the user asked for the form, which then gets the focus. */
  readonly takesFocus: boolean;
}

const operations: readonly (readonly [Operation, string])[] = [
  ['replace', 'Replace a value'],
  ['add', 'Add a value'],
  ['remove', 'Remove a value'],
  ['clear', 'Remove every value'],
  ['set', 'Set the only value'],
];

const unchosen = ['', 'Choose …'] as const;

/** The change: the operation, the attribute, and its values. */
export function ChangeForm({ drafts, change, set, takesFocus }: ChangeFormProps) {
  const { operation, attribute, from, to } = change;
  const types = [...new Set(drafts.map(({ type }) => type))];
  const attributes = changeableAttributes(types);
  const values = valuesInUse(drafts, attribute);
  const needsFrom = operation === 'replace' || operation === 'remove';
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (takesFocus) heading.current?.focus();
  }, []);
  return (
    <section class="card stack" aria-labelledby="change">
      <h2 id="change" tabIndex={-1} ref={heading}>
        Change of {amount(drafts.length, 'object')}
      </h2>
      <div class="tiles">
        <SelectField
          id="operation"
          label="Operation"
          value={operation}
          options={operations}
          set={(value) => set({ ...change, operation: value as Operation })}
        />
        <SelectField
          id="attribute"
          label="Attribute"
          class="mono"
          value={attribute}
          options={[unchosen, ...attributes]}
          set={(value) => set({ ...noChange, operation, attribute: value })}
        />
        {needsFrom && (
          <SelectField
            id="from"
            label={operation === 'replace' ? 'Value to replace' : 'Value to remove'}
            class="mono"
            value={from}
            disabled={attribute === ''}
            options={[
              unchosen,
              ...values.map(({ value, objects }) => [value, `${value} (${amount(objects, 'object')})`] as const),
            ]}
            set={(value) => set({ ...change, from: value })}
          />
        )}
        {operation !== 'remove' && operation !== 'clear' && (
          <NewValue
            attribute={attribute}
            type={drafts.find((draft) => useOf(draft, attribute))?.type ?? ''}
            value={to}
            set={(value) => set({ ...change, to: value })}
          />
        )}
      </div>
    </section>
  );
}

interface NewValueProps {
  readonly attribute: string;
  /** A type that has the attribute. */
  readonly type: string;
  readonly value: string;
  readonly set: (value: string) => void;
}

/** The new value: a choice if there are few, or else a text with suggestions. */
function NewValue({ attribute, type, value, set }: NewValueProps) {
  const choices = choicesOf(attribute, type);
  const common = { id: 'to', class: 'mono', value, disabled: attribute === '', set };
  if (choices) return <SelectField {...common} label="New value" options={[unchosen, ...choices.map(optionOf)]} />;
  return (
    <Field id="to" label="New value">
      <SuggestedInput {...common} attribute={attribute} />
    </Field>
  );
}
