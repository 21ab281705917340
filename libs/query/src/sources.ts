import { asciiUpperCase, nonAuthoritativeName, ownMirrorName } from '@cadastre/rpsl';
import { type Outcome, ok, refused } from './outcome.js';
import { queryMessages } from './query-messages.js';

/** The searchable sources, upper case. */
export interface KnownSources {
  readonly main: string;
  /** Mirrors of other registries, in the configured order. */
  readonly mirrors: readonly string[];
  /** Further names of sources and of lists of them, upper case. */
  readonly aliases?: ReadonlyMap<string, readonly string[]>;
}

/** A source to search, or a part of one. */
export interface SearchedSource {
  /** The source that holds its objects, upper case. */
  readonly store: string;
  /** The requested names, upper case. */
  readonly names: readonly string[];
  /** The requested part; default: all objects. Related objects may be of any part. */
  readonly part?: 'authoritative' | 'non-authoritative';
}

/** The names of sources in upper case, each once; instead of an alias its sources. */
export function sourceNames(names: readonly string[], { aliases }: Pick<KnownSources, 'aliases'>): readonly string[] {
  return [...new Set(names.map(asciiUpperCase).flatMap((name) => aliases?.get(name) ?? [name]))];
}

/** The requested sources, without duplicates; default: the main one. */
export function readSources(names: readonly string[], known: KnownSources): Outcome<readonly SearchedSource[]> {
  if (names.length === 0) return ok([{ store: known.main, names: [known.main] }]);
  const sources: SearchedSource[] = [];
  for (const name of sourceNames(names, known)) {
    const source = sourceOf(name, known);
    if (source === undefined) {
      return refused(queryMessages.invalidSource(names.find((one) => asciiUpperCase(one) === name)!));
    }
    sources.push(source);
  }
  return ok(partsTogether(sources, known));
}

/** The source or part with a name in upper case, which may be its alias. */
export function sourceOf(given: string, { main, mirrors, aliases }: KnownSources): SearchedSource | undefined {
  const [name = given, ...more] = aliases?.get(given) ?? [];
  if (more.length > 0) return undefined;
  if (name === main) return { store: main, names: [name], part: 'authoritative' };
  if (mirrors.includes(name)) return { store: name, names: [name] };
  if (name === nonAuthoritativeName(main)) return { store: main, names: [name], part: 'non-authoritative' };
  return name === ownMirrorName(main) ? ownMirror(main) : undefined;
}

function ownMirror(main: string): SearchedSource {
  return { store: main, names: [ownMirrorName(main)], part: 'authoritative' };
}

/** Searches both parts of the main source together, at the position of the first, so that no object is found twice. */
function partsTogether(sources: readonly SearchedSource[], { main }: KnownSources): readonly SearchedSource[] {
  const parts = [main, nonAuthoritativeName(main)];
  const requested = sources.filter(({ names }) => parts.includes(names[0]!));
  if (requested.length < 2) return sources;
  const whole = { store: main, names: requested.flatMap(({ names }) => names) };
  return sources.flatMap((source) => (source === requested[0] ? [whole] : requested.includes(source) ? [] : [source]));
}

/** All mirrors, including one of the main source; the main source if there are none. */
export function resourceSources({ main, mirrors }: KnownSources): readonly SearchedSource[] {
  if (mirrors.length === 0) return [{ store: main, names: [main] }];
  const others = mirrors.map((name) => ({ store: name, names: [name] }));
  return mirrors.includes(ownMirrorName(main)) ? others : [ownMirror(main), ...others];
}
