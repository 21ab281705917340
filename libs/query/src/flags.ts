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

const letters: Readonly<Record<Flag, string | undefined>> = { ...searchFlags, ...lineFlags };

/** All flags, those of searches first. */
export const allFlags = Object.keys(letters) as readonly Flag[];

const longNames: ReadonlySet<string> = new Set(allFlags.filter((name) => name.length > 1));

const byLetter: ReadonlyMap<string, Flag> = new Map(
  Object.entries(letters).flatMap(([name, letter]) => (letter === undefined ? [] : [[letter, name as Flag]])),
);

const valuedFlags: ReadonlySet<Flag> = new Set([
  ...(['inverse', 'select-types', 'sources', 'template', 'verbose', 'q', 'client', 'charset'] as const),
  ...(['show-version', 'diff-versions'] as const),
]);

/** whois(1) has `-R` for its own use, and sends it. */
const ignoredLetter = 'R';

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

/** Whether a flag has a value. */
export function hasValue(flag: Flag): boolean {
  return valuedFlags.has(flag);
}

/** A flag in messages: its letter, if it has one, and its long name. */
export function shownFlag(flag: Flag): string {
  const letter = letters[flag];
  if (letter === flag) return `-${letter}`;
  return letter === undefined ? `--${flag}` : `-${letter}, --${flag}`;
}

/** A flag in a word. */
export interface WordFlag {
  /** Undefined for an unknown one. */
  readonly flag: Flag | undefined;
  /** With its dashes: `-K`, `--primary-keys`. */
  readonly written: string;
  /** The text attached to it. */
  readonly attached: string;
}

/** `--name`, `--name=value`, or letters, of which the last may have its value attached. */
export function flagsOf(word: string): WordFlag[] {
  const [, name, attached = ''] = /^--([^=]*)(?:=(.*))?$/.exec(word) ?? [];
  if (name !== undefined) return [{ flag: flagNamed(name), written: `--${name}`, attached }];
  const found: WordFlag[] = [];
  for (let at = 1; at < word.length; at++) {
    const letter = word[at]!;
    if (letter === ignoredLetter) continue;
    const flag = flagOfLetter(letter);
    const takesRest = flag !== undefined && hasValue(flag);
    found.push({ flag, written: `-${letter}`, attached: takesRest ? word.slice(at + 1) : '' });
    if (takesRest) break;
  }
  return found;
}
