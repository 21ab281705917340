import { addressRange, type Outcome, ok, queryMessages, refused } from '@cadastre/query';
import { parseResource } from '@cadastre/rpsl';
import type { ListFilter } from '../index-port.js';
import { foldText } from '../words.js';

/** Without control characters. */
const printable = /^\P{C}{2,64}$/u;

/** Reads the text of a filter: words, or an address, prefix or range. */
export function readFilter(text: string): Outcome<ListFilter> {
  const trimmed = text.trim();
  if (!printable.test(trimmed)) return refused(queryMessages.invalidFilter());
  const resource = parseResource(trimmed);
  const range = resource !== undefined && 'family' in resource ? addressRange(resource) : undefined;
  return ok({ words: foldText(trimmed).split(/\s+/), ...(range && { range }) });
}
