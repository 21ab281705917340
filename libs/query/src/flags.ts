import { type Outcome, ok, refused } from './outcome.js';
import { queryMessages } from './query-messages.js';

/** The search flags, by long name. */
const searchFlags = {
  exact: 'x',
  'one-less': 'l',
  'all-less': 'L',
  'one-more': 'm',
  'all-more': 'M',
  irt: 'c',
  'no-irt': 'C',
  'reverse-domain': 'd',
  'no-grouping': 'G',
  'no-filtering': 'B',
  'no-referenced': 'r',
  'valid-syntax': undefined,
  'no-valid-syntax': undefined,
  'no-personal': undefined,
  'show-personal': undefined,
  resource: undefined,
} as const;

/**
 * Flags of the port 43 query line that searches refuse: other parameters or endpoints replace them. `q` has no long
 * name; `types` and `inverse` are meaningless here.
 */
const lineFlags = {
  'abuse-contact': 'b',
  brief: 'F',
  'primary-keys': 'K',
  'persistent-connection': 'k',
  'select-types': 'T',
  'all-sources': 'a',
  sources: 's',
  q: 'q',
  'list-sources': undefined,
  version: undefined,
  types: undefined,
  inverse: 'i',
  template: 't',
  verbose: 'v',
  client: 'V',
  'list-versions': undefined,
  'diff-versions': undefined,
  'show-version': undefined,
  charset: 'Z',
} as const;

/** A flag that searches accept. */
export type SearchFlag = keyof typeof searchFlags;
/** A flag of the query line. */
export type Flag = SearchFlag | keyof typeof lineFlags;

/** The flags about the hierarchy of addresses; a query has at most one. */
export const modeFlags = ['exact', 'one-less', 'all-less', 'one-more', 'all-more'] as const;

const allFlags: Readonly<Record<Flag, string | undefined>> = { ...searchFlags, ...lineFlags };

const longNames: ReadonlySet<string> = new Set(Object.keys(allFlags).filter((name) => name.length > 1));

const byLetter: ReadonlyMap<string, Flag> = new Map(
  Object.entries(allFlags).flatMap(([name, letter]) => (letter === undefined ? [] : [[letter, name as Flag]])),
);

/**
 * The flags of a query, without duplicates, in the given order. A value is a long name or else a string of
 * letters, case matters. An unknown letter anywhere takes precedence over a disallowed flag.
 */
export function parseFlags(values: readonly string[]): Outcome<readonly SearchFlag[]> {
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

/** The flag with a long name; undefined when there is none. */
export function flagNamed(name: string): Flag | undefined {
  return longNames.has(name) ? (name as Flag) : undefined;
}

/** The flag with a letter; undefined when there is none. */
export function flagOfLetter(letter: string): Flag | undefined {
  return byLetter.get(letter);
}

export function isSearchFlag(flag: Flag): flag is SearchFlag {
  return flag in searchFlags;
}

/** A flag in messages: its letter, if it has one, and its long name. */
export function shownFlag(flag: Flag): string {
  const letter = allFlags[flag];
  if (letter === flag) return `-${letter}`;
  return letter === undefined ? `--${flag}` : `-${letter}, --${flag}`;
}
