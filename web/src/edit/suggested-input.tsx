import type { ComponentProps } from 'preact';
import { useState } from 'preact/hooks';
import type { ObjectName } from '../paths.js';
import { useSuggestions } from './suggestions.js';

interface SuggestedInputProps extends Omit<ComponentProps<'input'>, 'id' | 'value' | 'role'> {
  readonly id: string;
  readonly attribute: string;
  readonly source: string;
  readonly maintainers: readonly ObjectName[];
  readonly value: string;
  readonly set: (value: string) => void;
}

/** The input for a value of an attribute, with suggestions while it has the focus. */
export function SuggestedInput({ attribute, source, maintainers, set, ...input }: SuggestedInputProps) {
  const [hasFocus, setFocus] = useState(false);
  const suggestions = useSuggestions(attribute, source, input.value, maintainers, hasFocus);
  const list = `${input.id}-list`;
  return (
    <>
      <input
        {...input}
        type="text"
        list={list}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        onFocus={() => setFocus(true)}
        onBlur={() => setFocus(false)}
        onInput={(event) => set(event.currentTarget.value)}
      />
      {suggestions.length > 0 && (
        <datalist id={list}>
          {suggestions.map(({ key, label }) => (
            <option key={key} value={key} label={label} />
          ))}
        </datalist>
      )}
    </>
  );
}
