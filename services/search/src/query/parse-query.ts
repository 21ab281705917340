import type { SearchRequest } from '@cadastre/proto/search';
import {
  asciiUpperCase,
  nonAuthoritativeName,
  type ObjectTypeName,
  objectType,
  objectTypes,
  ownMirrorName,
} from '@cadastre/rpsl';
import type { Mode } from '../index-port.js';
import { acceptsKey } from './accepted-types.js';
import { directQuery } from './direct.js';
import { parseFlags, type SearchFlag, shownFlag } from './flags.js';
import { inverseTerms } from './inverse.js';
import { type Outcome, ok, refused } from './outcome.js';
import type { QueryPlan, RelatedTypes, Search, SearchedSource } from './plan.js';
import { queryMessages } from './query-messages.js';
import { classify, hasTooManyWords, isWholeSpace, readSearchTerm, type SearchKey } from './search-key.js';

/** The searchable sources, upper case. */
export interface KnownSources {
  readonly main: string;
  /** Mirrors of other registries, in the configured order. */
  readonly mirrors: readonly string[];
}

type Question = Pick<
  SearchRequest,
  'query' | 'sources' | 'types' | 'inverseAttributes' | 'flags' | 'includeTags' | 'excludeTags'
>;

type Flags = ReadonlySet<SearchFlag>;

const modes = ['exact', 'one-less', 'all-less', 'one-more', 'all-more'] as const;

const addressFlags = [...modes, 'reverse-domain'] as const;

const resourceTypes: ReadonlySet<ObjectTypeName> = new Set([
  'aut-num',
  'inetnum',
  'inet6num',
  'route',
  'route6',
  'domain',
]);
const reverseTypes: ReadonlySet<ObjectTypeName> = new Set(['inetnum', 'inet6num', 'route', 'route6', 'domain']);
const personalTypes: ReadonlySet<ObjectTypeName> = new Set(['person', 'role']);

/**
 * Parses a query. Checks run in the order that clients of the RIPE Database know: sources, search term, flags, types
 * and attributes, then invalid combinations.
 */
export function parseQuery(request: Question, known: KnownSources): Outcome<QueryPlan> {
  const named = readSources(request.sources, known);
  if (!named.ok) return named;
  const term = readSearchTerm(request.query);
  if (!term.ok) return term;
  const flags = parseFlags(request.flags);
  if (!flags.ok) return flags;
  const types = readTypes(request.types);
  if (!types.ok) return types;
  const set: Flags = new Set(flags.value);
  const search = readSearch(request, term.value, types.value, set);
  if (!search.ok) return search;
  return ok({
    flags: flags.value,
    sources: set.has('resource') ? resourceSources(known) : named.value,
    search: search.value,
    related: relatedTypes(set),
    grouping: !set.has('no-grouping'),
    unfiltered: set.has('no-filtering'),
    ...(set.has('valid-syntax') ? { syntax: 'valid' as const } : {}),
    ...(set.has('no-valid-syntax') ? { syntax: 'invalid' as const } : {}),
    includeTags: request.includeTags.map(foldTag),
    excludeTags: request.excludeTags.map(foldTag),
    warnings: isUseless(set, term.value) ? [queryMessages.uselessFlag()] : [],
  });
}

/** The requested sources, without duplicates; default: the main one. */
export function readSources(names: readonly string[], known: KnownSources): Outcome<readonly SearchedSource[]> {
  if (names.length === 0) return ok([{ store: known.main, names: [known.main] }]);
  const sources: SearchedSource[] = [];
  for (const name of new Set(names.map(asciiUpperCase))) {
    const source = sourceOf(name, known);
    if (source === undefined) {
      return refused(queryMessages.invalidSource(names.find((one) => asciiUpperCase(one) === name)!));
    }
    sources.push(source);
  }
  return ok(partsTogether(sources, known));
}

/** The source or part with a name in upper case. */
export function sourceOf(name: string, { main, mirrors }: KnownSources): SearchedSource | undefined {
  if (name === main) return { store: main, names: [name], part: 'authoritative' };
  if (mirrors.includes(name)) return { store: name, names: [name] };
  if (name === nonAuthoritativeName(main)) return { store: main, names: [name], part: 'non-authoritative' };
  return name === ownMirrorName(main) ? ownMirror(main) : undefined;
}

function ownMirror(main: string): SearchedSource {
  return { store: main, names: [ownMirrorName(main)], part: 'authoritative' };
}

/** Searches both parts of the main source together, at the place of the first: no object is found twice. */
function partsTogether(sources: readonly SearchedSource[], { main }: KnownSources): readonly SearchedSource[] {
  const parts = [main, nonAuthoritativeName(main)];
  const asked = sources.filter(({ names }) => parts.includes(names[0]!));
  if (asked.length < 2) return sources;
  const whole = { store: main, names: asked.flatMap(({ names }) => names) };
  return sources.flatMap((source) => (source === asked[0] ? [whole] : asked.includes(source) ? [] : [source]));
}

/** Whether flags about addresses come with another kind of term; reverse domains count as addresses with `d` only. */
function isUseless(flags: Flags, term: string): boolean {
  if (!addressFlags.some((flag) => flags.has(flag))) return false;
  const { kind } = classify(term);
  return kind === 'text' || (kind === 'reverse-domain' && !flags.has('reverse-domain'));
}

/** The requested types; default: all. Empty items of a list do not count, but an empty name alone is no type. */
export function readTypes(names: readonly string[]): Outcome<ReadonlySet<ObjectTypeName>> {
  const types = new Set<ObjectTypeName>();
  if (names.length > 0 && names.every((name) => name.trim() === '')) return refused(queryMessages.unknownType(''));
  for (const name of names.flatMap((value) => value.split(',')).map((value) => value.trim())) {
    if (name === '') continue;
    const type = objectType(/^\*..$/.test(name) ? name.slice(1) : name);
    if (type === undefined) return refused(queryMessages.unknownType(name));
    types.add(type.name);
  }
  return ok(types);
}

function readSearch(
  request: Question,
  term: string,
  types: ReadonlySet<ObjectTypeName>,
  flags: Flags,
): Outcome<Search> {
  const inverse = request.inverseAttributes.length > 0 ? inverseTerms(request.inverseAttributes, term) : undefined;
  if (inverse?.ok === false) return inverse;
  const clash = clashOf(request, flags);
  if (clash !== undefined) return refused(clash);
  if (hasTooManyWords(term)) return refused(queryMessages.tooManyWords());
  const candidates = candidateTypes(types, flags);
  if (inverse) return ok({ kind: 'inverse', types: candidates, terms: inverse.value });
  return directSearch(classify(term), candidates, flags);
}

function directSearch(key: SearchKey, candidates: readonly ObjectTypeName[], flags: Flags): Outcome<Search> {
  const mode: Mode = modes.find((one) => flags.has(one)) ?? 'default';
  if (key.kind !== 'text' && isWholeSpace(key.range) && (mode === 'one-more' || mode === 'all-more')) {
    return refused(queryMessages.tooWide());
  }
  const bothDirections = flags.has('reverse-domain');
  const accepting = candidates.filter((type) => acceptsKey(type, key) || (bothDirections && isZoneOf(type, key)));
  if (accepting.length === 0) return refused(queryMessages.invalidKey());
  const queries = accepting.flatMap((type) => directQuery(type, { key, mode, bothDirections }) ?? []);
  return ok({ kind: 'direct', queries });
}

/** With flag `d` a reverse domain also means its addresses. */
function isZoneOf(type: ObjectTypeName, key: SearchKey): boolean {
  return key.kind === 'reverse-domain' && reverseTypes.has(type);
}

/** The types to search, in the order of results. */
function candidateTypes(asked: ReadonlySet<ObjectTypeName>, flags: Flags): ObjectTypeName[] {
  return objectTypes
    .map((type) => type.name)
    .filter((type) => asked.size === 0 || asked.has(type))
    .filter((type) => asked.size > 0 || !flags.has('reverse-domain') || reverseTypes.has(type))
    .filter((type) => !flags.has('resource') || resourceTypes.has(type))
    .filter((type) => !flags.has('no-personal') || !personalTypes.has(type));
}

/** The first invalid combination of flags or parameters, if any. */
function clashOf(request: Question, flags: Flags) {
  if (modes.filter((mode) => flags.has(mode)).length > 1) return queryMessages.duplicateModes();
  if (flags.has('resource') && request.sources.length > 0) {
    return queryMessages.conflictingFlags(shownFlag('resource'), shownFlag('sources'));
  }
  if (flags.has('resource') && request.inverseAttributes.length > 0) {
    return queryMessages.conflictingFlags(shownFlag('resource'), shownFlag('inverse'));
  }
  if (flags.has('valid-syntax') && flags.has('no-valid-syntax')) {
    return queryMessages.conflictingFlags(shownFlag('valid-syntax'), shownFlag('no-valid-syntax'));
  }
  const excluded = new Set(request.excludeTags.map(foldTag));
  const both = [...new Set(request.includeTags.map(foldTag))].filter((tag) => excluded.has(tag));
  if (both.length > 0) {
    const tags = ` (${both.join(',')})`;
    return queryMessages.conflictingFlags(`--filter-tag-include${tags}`, `--filter-tag-exclude${tags}`);
  }
  return undefined;
}

/** All mirrors, including one of the main source; the main source if there are none. */
function resourceSources({ main, mirrors }: KnownSources): readonly SearchedSource[] {
  if (mirrors.length === 0) return [{ store: main, names: [main] }];
  const others = mirrors.map((name) => ({ store: name, names: [name] }));
  return mirrors.includes(ownMirrorName(main)) ? others : [ownMirror(main), ...others];
}

function relatedTypes(flags: Flags): RelatedTypes {
  const referenced = !flags.has('no-referenced') && !flags.has('resource');
  return {
    contacts: referenced && !flags.has('no-personal'),
    organisations: referenced,
    irts: flags.has('irt'),
  };
}

function foldTag(tag: string): string {
  return tag.trim().toLowerCase();
}
