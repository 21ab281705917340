import type { SearchRequest } from '@cadastre/proto/search';
import { type ObjectTypeName, objectType, objectTypes } from '@cadastre/rpsl';
import type { Mode } from '../index-port.js';
import { acceptsKey } from './accepted-types.js';
import { directQuery } from './direct.js';
import { parseFlags, type SearchFlag, shownFlag } from './flags.js';
import { inverseTerms } from './inverse.js';
import { type Outcome, ok, refused } from './outcome.js';
import type { QueryPlan, RelatedTypes, Search } from './plan.js';
import { queryMessages } from './query-messages.js';
import { classify, hasTooManyWords, isWholeSpace, readSearchTerm, type SearchKey } from './search-key.js';

/** The sources that can be searched, upper case. */
export interface KnownSources {
  readonly main: string;
  /** Copies of other registries, in the order of the configuration. */
  readonly mirrors: readonly string[];
}

type Question = Pick<
  SearchRequest,
  'query' | 'sources' | 'types' | 'inverseAttributes' | 'flags' | 'includeTags' | 'excludeTags'
>;

type Flags = ReadonlySet<SearchFlag>;

const modes = ['exact', 'one-less', 'all-less', 'one-more', 'all-more'] as const;

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
 * Reads a query. Checks stand in the order in which clients of the dialect know them: sources, search term, flags,
 * types and attributes, then what does not go together.
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
  });
}

function readSources(names: readonly string[], known: KnownSources): Outcome<readonly string[]> {
  if (names.length === 0) return ok([known.main]);
  const all = [known.main, ...known.mirrors];
  const unknown = names.find((name) => !all.includes(name.toUpperCase()));
  if (unknown !== undefined) return refused(queryMessages.invalidSource(unknown));
  return ok([...new Set(names.map((name) => name.toUpperCase()))]);
}

/** The types that were asked for; none means all. */
function readTypes(names: readonly string[]): Outcome<ReadonlySet<ObjectTypeName>> {
  const types = new Set<ObjectTypeName>();
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

/** With flag `d` a reverse domain stands for its addresses too. */
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

/** At most one: the first pair of things that cannot be asked together. */
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

function resourceSources(known: KnownSources): readonly string[] {
  return known.mirrors.length > 0 ? known.mirrors : [known.main];
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
