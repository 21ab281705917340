import { attributeType } from '@cadastre/rpsl';
import type { ShownObject } from '../api/objects.js';
import { search } from '../api/search.js';
import { useTyped } from '../design/typed.js';
import type { ObjectName } from '../paths.js';

/** An object that a value may name. */
export interface Suggestion {
  readonly key: string;
  /** A description for users. */
  readonly label: string;
}

const pauseMs = 300;
const maxSuggestions = 8;
const none: readonly Suggestion[] = [];

/**
 * The objects that the value of an attribute may name: the user's own maintainers, and search results for the text so
 * far. Empty for attributes without references, and while the registry does not respond.
 */
export function useSuggestions(
  attribute: string,
  source: string,
  value: string,
  maintainers: readonly ObjectName[],
  hasFocus: boolean,
): Suggestion[] {
  const types = attributeType(attribute)?.references ?? [];
  const term = /[^,\s][^,]*$/.exec(value)?.[0].trim() ?? '';
  const isSearched = hasFocus && types.length > 0 && term.length > 1;
  const found = useTyped(isSearched ? term : '', none, pauseMs, async (signal) => {
    const query = { text: term, sources: [source], types, flags: ['no-referenced'], limit: maxSuggestions };
    return (await search(query, signal)).objects.map(suggestion);
  });
  if (types.length === 0) return [];
  const own = types.includes('mntner') ? maintainers.map(({ key }) => ({ key, label: 'one of yours' })) : [];
  return [...own, ...found.filter(({ key }) => own.every((one) => one.key !== key))];
}

function suggestion({ name, attributes }: ShownObject): Suggestion {
  const label =
    attributes.find((one) => ['person', 'role', 'org-name', 'descr'].includes(one.name))?.value ?? name.type;
  return { key: name.key, label };
}
