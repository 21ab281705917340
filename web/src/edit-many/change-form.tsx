import { useEffect, useRef, useState } from 'preact/hooks';
import { amount } from '../design/amount.js';
import { choicesOf } from '../edit/attribute-help.js';
import { type Draft, useOf } from '../edit/draft.js';
import { useSuggestions } from '../edit/suggestions.js';
import type { ObjectName } from '../paths.js';
import {
  type AttributeChange,
  changeableAttributes,
  noChange,
  type Operation,
  valuesInUse,
} from './attribute-change.js';

interface ChangeFormProps {
  /** The objects of the change. */
  readonly drafts: readonly Draft[];
  readonly source: string;
  readonly maintainers: readonly ObjectName[];
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

/** The change: the operation, the attribute, and its values. */
export function ChangeForm({ drafts, source, maintainers, change, set, takesFocus }: ChangeFormProps) {
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
      <div class="change-fields">
        <div class="field">
          <label for="operation">Operation</label>
          <select
            id="operation"
            value={operation}
            onChange={(event) => set({ ...change, operation: event.currentTarget.value as Operation })}
          >
            {operations.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </div>
        <div class="field">
          <label for="attribute">Attribute</label>
          <select
            id="attribute"
            class="mono"
            value={attribute}
            onChange={(event) => set({ ...noChange, operation, attribute: event.currentTarget.value })}
          >
            <option value="">Choose …</option>
            {attributes.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </div>
        {needsFrom && (
          <div class="field">
            <label for="from">{operation === 'replace' ? 'Value to replace' : 'Value to remove'}</label>
            <select
              id="from"
              class="mono"
              value={from}
              disabled={attribute === ''}
              onChange={(event) => set({ ...change, from: event.currentTarget.value })}
            >
              <option value="">Choose …</option>
              {values.map(({ value, objects }) => (
                <option key={value} value={value}>
                  {value} ({amount(objects, 'object')})
                </option>
              ))}
            </select>
          </div>
        )}
        {operation !== 'remove' && operation !== 'clear' && (
          <NewValue
            attribute={attribute}
            type={drafts.find((draft) => useOf(draft, attribute))?.type ?? ''}
            source={source}
            maintainers={maintainers}
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
  readonly source: string;
  readonly maintainers: readonly ObjectName[];
  readonly value: string;
  readonly set: (value: string) => void;
}

/** The new value: a choice if there are few, or else a text with suggestions. */
function NewValue({ attribute, type, source, maintainers, value, set }: NewValueProps) {
  const [hasFocus, setFocus] = useState(false);
  const suggestions = useSuggestions(attribute, source, value, maintainers, hasFocus);
  const choices = choicesOf(attribute, type);
  const common = { id: 'to', class: 'mono', value, disabled: attribute === '' };
  return (
    <div class="field">
      <label for="to">New value</label>
      {choices ? (
        <select {...common} onChange={(event) => set(event.currentTarget.value)}>
          <option value="">Choose …</option>
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.meaning === '' ? choice.value : `${choice.value}: ${choice.meaning}`}
            </option>
          ))}
        </select>
      ) : (
        <input
          {...common}
          type="text"
          list="to-list"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          onFocus={() => setFocus(true)}
          onBlur={() => setFocus(false)}
          onInput={(event) => set(event.currentTarget.value)}
        />
      )}
      {suggestions.length > 0 && (
        <datalist id="to-list">
          {suggestions.map(({ key, label }) => (
            <option key={key} value={key} label={label} />
          ))}
        </datalist>
      )}
    </div>
  );
}
