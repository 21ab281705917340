import type { SearchRequest } from '@cadastre/proto/search';
import {
  acceptingTypes,
  candidateTypes,
  classify,
  conflictOf,
  type Flag,
  hasTooManyWords,
  type InverseTerm,
  inverseTerms,
  isTooWide,
  type KnownSources,
  type Mode,
  modeConflictOf,
  modeFlags,
  type Outcome,
  ok,
  parseSearchFlags,
  queryMessages,
  readSearchTerm,
  readSources,
  readTypes,
  refused,
  resourceSources,
  type SearchFlag,
  type SearchKey,
  uselessFlagWarnings,
} from '@cadastre/query';
import { foldKey, type ObjectTypeName } from '@cadastre/rpsl';
import { addressTypes, type TypeQuery } from '../index-port.js';
import { termsOfNamesWith } from '../name-terms.js';
import { noRelated, type QueryPlan, type RelatedTypes, type Search } from './plan.js';
import { readFilter } from './read-filter.js';

type Question = Pick<
  SearchRequest,
  | 'query'
  | 'sources'
  | 'types'
  | 'inverseAttributes'
  | 'flags'
  | 'includeTags'
  | 'excludeTags'
  | 'dangling'
  | 'withLeftOut'
  | 'byAddress'
  | 'contains'
> &
  Partial<Pick<SearchRequest, 'offset' | 'limit'>>;

type Flags = ReadonlySet<SearchFlag>;

/**
 * Parses a query. Checks run in the order that clients of the RIPE Database know: sources, search term, flags, types
 * and attributes, then invalid combinations.
 */
export function parseQuery(request: Question, known: KnownSources): Outcome<QueryPlan> {
  const named = readSources(request.sources, known);
  if (!named.ok) return named;
  const term = readSearchTerm(request.query);
  if (!term.ok) return term;
  const flags = parseSearchFlags(request.flags);
  if (!flags.ok) return flags;
  const types = readTypes(request.types);
  if (!types.ok) return types;
  const set: Flags = new Set(flags.value);
  const search = readSearch(request, term.value, types.value, set);
  if (!search.ok) return search;
  const sources = set.has('resource') ? resourceSources(known) : named.value;
  const filter = request.contains === undefined ? undefined : readFilter(request.contains);
  if (filter?.ok === false) return filter;
  const isFilterable =
    search.value.kind === 'inverse' && sources.length === 1 && !request.offset && request.limit !== 0;
  if (filter && !isFilterable) return refused(queryMessages.notFiltered());
  return ok({
    flags: flags.value,
    sources,
    search: search.value,
    ...(filter && { filter: filter.value }),
    related: filter ? noRelated : relatedTypes(set),
    grouping: !set.has('no-grouping'),
    unfiltered: set.has('no-filtering'),
    ...(set.has('valid-syntax') ? { syntax: 'valid' as const } : {}),
    ...(set.has('no-valid-syntax') ? { syntax: 'invalid' as const } : {}),
    withLeftOut: request.withLeftOut ?? false,
    includeTags: request.includeTags.map(foldTag),
    excludeTags: request.excludeTags.map(foldTag),
    warnings: uselessFlagWarnings(set, term.value),
  });
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
  if (inverse) {
    const terms = request.dangling ? inverse.value.map(withoutTargets) : inverse.value;
    return ok({ kind: 'inverse', types: candidates, terms, ...(request.byAddress && { byAddress: true as const }) });
  }
  return directSearch(classify(term), candidates, flags);
}

/** Also matches when the named object is missing. Sets must still admit their members. */
function withoutTargets(term: InverseTerm): InverseTerm {
  return term.kind === 'term' && term.attribute !== 'member-of' ? { ...term, targets: [] } : term;
}

function directSearch(key: SearchKey, candidates: readonly ObjectTypeName[], flags: Flags): Outcome<Search> {
  const mode: Mode = modeFlags.find((one) => flags.has(one)) ?? 'default';
  if (isTooWide(key, flags)) return refused(queryMessages.tooWide());
  const bothDirections = flags.has('reverse-domain');
  const accepting = acceptingTypes(candidates, key, flags);
  if (accepting.length === 0) return refused(queryMessages.invalidKey());
  const queries = accepting.flatMap((type) => directQuery(type, { key, mode, bothDirections }) ?? []);
  return ok({ kind: 'direct', queries });
}

/** The first invalid combination of flags or parameters, if any. */
function clashOf(request: Question, flags: Flags) {
  const all = new Set<Flag>(flags);
  if (request.sources.length > 0) all.add('sources');
  if (request.inverseAttributes.length > 0) all.add('inverse');
  const conflict = modeConflictOf(all) ?? conflictOf(all);
  if (conflict !== undefined) return conflict;
  const excluded = new Set(request.excludeTags.map(foldTag));
  const both = [...new Set(request.includeTags.map(foldTag))].filter((tag) => excluded.has(tag));
  if (both.length === 0) return undefined;
  const tags = ` (${both.join(',')})`;
  return queryMessages.conflictingFlags(`--filter-tag-include${tags}`, `--filter-tag-exclude${tags}`);
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

/** The parameters of a direct lookup. */
export interface Direct {
  readonly key: SearchKey;
  readonly mode: Mode;
  /** Flag `d`: searches addresses, routes and reverse domains for an address or reverse domain. */
  readonly bothDirections: boolean;
}

/** The search of a direct lookup in one type; undefined when nothing of the type can match. */
function directQuery(type: ObjectTypeName, direct: Direct): TypeQuery | undefined {
  const { key } = direct;
  if (type === 'domain') return domainQuery(direct);
  if (addressTypes.has(type) && key.kind !== 'text') return addressQuery(type, direct);
  if (key.kind === 'address' || key.kind === 'route') return undefined;
  if (type === 'as-block')
    return key.kind === 'text' && key.asRange ? { kind: 'covering', type, range: key.asRange } : undefined;
  if (type === 'inetnum' || type === 'inet6num') {
    return { kind: 'terms', type, anyOf: [[`netname=${key.text.toLowerCase()}`]], order: 'address' };
  }
  return { kind: 'terms', type, anyOf: alternatives(type, key.text), order: 'key' };
}

function addressQuery(type: ObjectTypeName, { key, mode, bothDirections }: Direct): TypeQuery | undefined {
  if (key.kind === 'text' || (key.kind === 'reverse-domain' && !bothDirections)) return undefined;
  const space = type === 'inetnum' || type === 'route' ? 'ipv4' : 'ipv6';
  if (key.range.space !== space) return undefined;
  if (key.kind !== 'route') return { kind: 'range', type, range: key.range, mode };
  const exact = mode === 'default' ? 'exact' : mode;
  return { kind: 'range', type, range: key.range, mode: exact, origin: key.origin };
}

function domainQuery({ key, mode, bothDirections }: Direct): TypeQuery | undefined {
  if (key.kind === 'reverse-domain' || (key.kind === 'address' && bothDirections)) {
    return { kind: 'range', type: 'domain', range: key.range, mode };
  }
  // ENUM, the roots, and delegations of other registries that are not ranges.
  if (key.kind === 'text' && /\.arpa\.?$/i.test(key.text)) {
    return { kind: 'terms', type: 'domain', anyOf: [[`key=${foldKey('domain', key.text)}`]], order: 'key' };
  }
  return undefined;
}

/** The terms by which an object of a type may match a text: its key, the words of its name, its e-mail address. */
function alternatives(type: ObjectTypeName, text: string): string[][] {
  const byKey = [`key=${foldKey(type, text)}`];
  const byMail = [`e-mail=${text.toLowerCase()}`];
  const byName = termsOfNamesWith(text.toLowerCase());
  switch (type) {
    case 'person':
    case 'role':
      return [byKey, ...byName, byMail];
    case 'organisation':
      return text.includes(' ') ? [...byName, byMail] : [byKey, ...byName, byMail];
    case 'irt':
      return [byKey, byMail];
    default:
      return [byKey];
  }
}
