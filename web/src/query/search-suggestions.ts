import { type NamedObject, suggest } from '../api/words.js';
import { useTyped } from '../design/typed.js';

const pauseMs = 200;
const maxBeginning = 64;

const none: readonly NamedObject[] = [];

/** The objects whose key, handle or name begins with the typed text. Empty while the registry does not answer. */
export function useSearchSuggestions(text: string, isOpen: boolean): readonly NamedObject[] {
  const beginning = text.trim();
  return useTyped(isOpen && isBeginning(beginning) ? beginning : '', none, pauseMs, async (signal) => {
    const suggestions = await suggest(beginning, signal).catch(() => none);
    return likeliestFirst(suggestions, beginning);
  });
}

/** Keys before names; of both, first one of each type. */
export function likeliestFirst(suggestions: readonly NamedObject[], beginning: string): NamedObject[] {
  const isKey = ({ key }: NamedObject) => key.toLowerCase().startsWith(beginning.toLowerCase());
  return [suggestions.filter(isKey), suggestions.filter((item) => !isKey(item))].flatMap((some) => {
    const firsts = some.filter((item, at) => some.findIndex(({ type }) => type === item.type) === at);
    return [...firsts, ...some.filter((item) => !firsts.includes(item))];
  });
}

/** Whether a text may be the beginning of a key or name: no flags, URLs, mailboxes or long texts. */
export function isBeginning(text: string): boolean {
  return text.length >= 2 && text.length <= maxBeginning && !/^[-/]|@|:\/\//.test(text);
}
