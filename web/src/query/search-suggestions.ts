import { useEffect, useRef, useState } from 'preact/hooks';
import { isMissingSearch, type NamedObject, suggest } from '../api/words.js';

const pauseMs = 200;
const longestBeginning = 64;

/**
 * The objects whose key, handle or name begins with the typed text. Empty while the registry does not answer; a
 * registry without suggestions gets no further requests.
 */
export function useSearchSuggestions(text: string, isWanted: boolean): readonly NamedObject[] {
  const beginning = text.trim();
  const [found, setFound] = useState<readonly NamedObject[]>([]);
  const hasNone = useRef(false);
  const asks = isWanted && isBeginning(beginning);
  useEffect(() => {
    if (!asks || hasNone.current) return;
    const unwanted = new AbortController();
    const timer = setTimeout(() => {
      suggest(beginning, unwanted.signal).then(
        (suggestions) => unwanted.signal.aborted || setFound(likeliestFirst(suggestions, beginning)),
        (error) => {
          if (unwanted.signal.aborted) return;
          hasNone.current = isMissingSearch(error);
          setFound([]);
        },
      );
    }, pauseMs);
    return () => {
      unwanted.abort();
      clearTimeout(timer);
    };
  }, [asks, beginning]);
  return asks ? found : [];
}

/** Keys before names; of both, first one of each type. */
export function likeliestFirst(suggestions: readonly NamedObject[], beginning: string): NamedObject[] {
  const isKey = ({ name }: NamedObject) => name.key.toLowerCase().startsWith(beginning.toLowerCase());
  return [suggestions.filter(isKey), suggestions.filter((one) => !isKey(one))].flatMap((some) => {
    const firsts = some.filter((one, at) => some.findIndex(({ name }) => name.type === one.name.type) === at);
    return [...firsts, ...some.filter((one) => !firsts.includes(one))];
  });
}

/** Whether a text may be the beginning of a key or name: no flags, URLs, mailboxes or long texts. */
export function isBeginning(text: string): boolean {
  return text.length >= 2 && text.length <= longestBeginning && !/^[-/]|@|:\/\//.test(text);
}
