import { type Flag, flagNamed, flagOfLetter, isSearchFlag, type SearchFlag } from './flags.js';
import { type Outcome, ok, refused } from './outcome.js';
import { queryMessages } from './query-messages.js';

/**
 * The flags of a query, without duplicates, in the given order. A value is a long name or else a string of
 * letters, case matters. An unknown letter anywhere takes precedence over a disallowed flag.
 */
export function parseSearchFlags(values: readonly string[]): Outcome<readonly SearchFlag[]> {
  const found = new Set<Flag>();
  for (const value of values) {
    const named = flagNamed(value);
    if (named !== undefined) {
      found.add(named);
      continue;
    }
    for (const letter of value) {
      const flag = flagOfLetter(letter);
      if (flag === undefined) return refused(queryMessages.invalidFlag(letter, value));
      found.add(flag);
    }
  }
  const flags = [...found];
  const disallowed = flags.find((flag) => !isSearchFlag(flag));
  return disallowed === undefined ? ok(flags as SearchFlag[]) : refused(queryMessages.disallowedFlag(disallowed));
}
