import { attributeType } from '@cadastre/rpsl';
import { useEffect, useState } from 'preact/hooks';
import type { ShownObject } from '../api/objects.js';
import { search } from '../api/search.js';
import type { ObjectName } from '../paths.js';

/** An object that a value may name. */
export interface Suggestion {
  readonly key: string;
  /** A description for users. */
  readonly label: string;
}

const pauseMs = 300;
const maxSuggestions = 8;

/**
 * The objects that the value of an attribute may name: the user's own maintainers, and search results for the text so
 * far. Empty for attributes without references, and while the registry does not respond.
 */
export function useSuggestions(
  attribute: string,
  source: string,
  value: string,
  maintainers: readonly ObjectName[],
  isWanted: boolean,
): Suggestion[] {
  const types = attributeType(attribute)?.references ?? [];
  const term = /[^,\s][^,]*$/.exec(value)?.[0].trim() ?? '';
  const [found, setFound] = useState<readonly Suggestion[]>([]);
  const asks = isWanted && types.length > 0 && term.length > 1;
  useEffect(() => {
    if (!asks) return;
    const unwanted = new AbortController();
    const timer = setTimeout(() => {
      const query = { text: term, sources: [source], types, flags: ['no-referenced'], limit: maxSuggestions };
      search(query, unwanted.signal).then(
        ({ objects }) => unwanted.signal.aborted || setFound(objects.map(suggestion)),
        () => unwanted.signal.aborted || setFound([]),
      );
    }, pauseMs);
    return () => {
      unwanted.abort();
      clearTimeout(timer);
    };
  }, [asks, term]);
  if (types.length === 0) return [];
  const own = types.includes('mntner') ? maintainers.map(({ key }) => ({ key, label: 'one of yours' })) : [];
  return [...own, ...found.filter(({ key }) => own.every((one) => one.key !== key))];
}

function suggestion({ name, attributes }: ShownObject): Suggestion {
  const label =
    attributes.find((one) => ['person', 'role', 'org-name', 'descr'].includes(one.name))?.value ?? name.type;
  return { key: name.key, label };
}
