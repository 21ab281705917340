import { attributeType } from '@cadastre/rpsl';
import type { ComponentProps } from 'preact';
import { useState } from 'preact/hooks';
import type { ShownObject } from '../api/objects.js';
import { search } from '../api/search.js';
import { useTyped } from '../design/typed.js';
import { useWriting } from './source-and-maintainers.js';

interface SuggestedInputProps extends Omit<ComponentProps<'input'>, 'id' | 'value' | 'role'> {
  readonly id: string;
  readonly attribute: string;
  readonly value: string;
  readonly set: (value: string) => void;
}

/** The input for a value of an attribute, with suggestions while it has the focus. */
export function SuggestedInput({ attribute, set, ...input }: SuggestedInputProps) {
  const [hasFocus, setFocus] = useState(false);
  const suggestions = useSuggestions(attribute, input.value, hasFocus);
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

interface Suggestion {
  readonly key: string;
  readonly label: string;
}

const pauseMs = 300;
const maxSuggestions = 8;
const none: readonly Suggestion[] = [];

/**
 * The objects that the value of an attribute may name: the user's own maintainers, and search results for the text so
 * far. Empty for attributes without references, and while the registry does not respond.
 */
function useSuggestions(attribute: string, value: string, hasFocus: boolean): Suggestion[] {
  const { source, maintainers } = useWriting();
  const types = attributeType(attribute)?.references ?? [];
  const term = /[^,\s][^,]*$/.exec(value)?.[0].trim() ?? '';
  const isSearched = hasFocus && types.length > 0 && term.length > 1;
  const found = useTyped(isSearched ? term : '', none, pauseMs, async (signal) => {
    const query = { text: term, sources: [source], types, flags: ['no-referenced'], limit: maxSuggestions };
    return (await search(query, signal)).objects.map(suggestion);
  });
  if (types.length === 0) return [];
  const own = types.includes('mntner') ? maintainers.map(({ key }) => ({ key, label: 'one of yours' })) : [];
  return [...own, ...found.filter(({ key }) => own.every((other) => other.key !== key))];
}

function suggestion({ name, attributes }: ShownObject): Suggestion {
  const label =
    attributes.find((attribute) => ['person', 'role', 'org-name', 'descr'].includes(attribute.name))?.value ??
    name.type;
  return { key: name.key, label };
}
