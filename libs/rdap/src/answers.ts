import type {
  Answer,
  AutnumSearch,
  Document,
  DomainSearch,
  EntitySearch,
  Failure,
  Help,
  History,
  IpSearch,
  Notice,
  PagingMetadata,
  Redacted,
  ReverseSearchMapping,
  ReverseSearchProperties,
  Top,
} from './documents.js';
import { pageLink } from './links.js';
import { cutResultsNotice, objectNotices, registryNotices } from './notices.js';
import { memberPath, nestedPaths } from './redaction.js';
import type { Nested, Registry, Requested } from './registry.js';

const always = ['rdap_level_0', 'cidr0', 'nro_rdap_profile_0', 'redacted'];

/** The extensions of a document, in addition to those of every answer. */
const extensionsOf: Readonly<Record<Document['objectClassName'], readonly string[]>> = {
  'ip network': ['geofeed1', 'rirSearch1', 'ips'],
  autnum: ['nro_rdap_profile_asn_flat_0', 'rirSearch1', 'autnums'],
  domain: ['rirSearch1'],
  entity: [],
};

/** The answers of searches, by the kind of their results. */
interface Searches {
  readonly ips: IpSearch;
  readonly autnums: AutnumSearch;
  readonly domains: DomainSearch;
  readonly entities: EntitySearch;
}

/** The kind of the results of a search. */
export type SearchKind = keyof Searches;

const searches = {
  ips: { member: 'ipSearchResults', extensions: [...extensionsOf['ip network'], 'ipSearchResults'] },
  autnums: { member: 'autnumSearchResults', extensions: [...extensionsOf.autnum, 'autnumSearchResults'] },
  domains: { member: 'domainSearchResults', extensions: extensionsOf.domain },
  entities: { member: 'entitySearchResults', extensions: extensionsOf.entity },
} as const;

/** The answer to a lookup. */
export function answer<D extends Document>(registry: Registry, requested: Requested, nested: Nested<D>): Answer<D> {
  const { document, redacted } = nested;
  const notices = objectNotices(registry, requested, [nested]);
  const { termsUrl } = registry;
  const terms = termsUrl === undefined ? [] : [pageLink(requested, 'terms-of-service', termsUrl)];
  return {
    ...top(registry, requested, { extensions: extensionsIn(document), notices, redacted }),
    ...document,
    links: [...document.links, ...terms],
  };
}

/** What a search reports about its results. */
export interface SearchPage {
  /** The number of results, when there were more. */
  readonly cut?: number;
  readonly paging?: PagingMetadata;
  readonly reverse?: ReverseSearchMapping;
}

/** The answer to a search that has found something. If nothing was found, the answer is an `errorAnswer` with 404. */
export function searchAnswer<K extends SearchKind>(
  registry: Registry,
  requested: Requested,
  kind: K,
  found: readonly Nested<Document>[],
  { cut, paging, reverse }: SearchPage = {},
): Searches[K] {
  const { member, extensions } = searches[kind];
  const search = {
    ...top(registry, requested, {
      extensions: [...extensions, ...(paging ? ['paging'] : []), ...(reverse ? ['reverse_search'] : [])],
      notices: [...objectNotices(registry, requested, found), ...(cut === undefined ? [] : [cutResultsNotice(cut)])],
      redacted: found.flatMap((one) => nestedPaths(one.redacted, memberPath(member, one.document.handle))),
    }),
    [member]: found.map(({ document }) => document),
    ...(paging && { paging_metadata: paging }),
    ...(reverse && { reverse_search_properties_mapping: reverse }),
  };
  return search as unknown as Searches[K];
}

/** A state of an object. */
export interface HistoryVersion {
  readonly from: Date;
  /** When the next state replaced it; absent for the current state. */
  readonly until?: Date;
  readonly nested: Nested<Document>;
}

/**
 * A page of the states of an object, newest first, as in APNIC's draft-apnic-historical-rdap. `cut`: the number of
 * states shown, when there were more.
 */
export function historyAnswer(
  registry: Registry,
  requested: Requested,
  versions: readonly HistoryVersion[],
  { cut, paging }: Pick<SearchPage, 'cut' | 'paging'> = {},
): History {
  const states = versions.map(({ nested }) => nested);
  const extensions = new Set(states.flatMap(({ document }) => extensionsIn(document)));
  return {
    ...top(registry, requested, {
      extensions: [...extensions, 'history_version_0', ...(paging ? ['paging'] : [])],
      notices: [...objectNotices(registry, requested, states), ...(cut === undefined ? [] : [cutResultsNotice(cut)])],
      redacted: states.flatMap(({ redacted }, index) => nestedPaths(redacted, `$.records[${index}].content`)),
    }),
    objectClassName: 'history',
    records: versions.map(({ from, until, nested }) => ({
      applicableFrom: from.toISOString(),
      ...(until && { applicableUntil: until.toISOString() }),
      content: nested.document,
    })),
    ...(paging && { paging_metadata: paging }),
  };
}

/** What the service supports. `extensions`: those of `rdapConformance` that only some answers have. */
export function helpAnswer(
  registry: Registry,
  requested: Requested,
  more: { readonly extensions?: readonly string[]; readonly reverse?: ReverseSearchProperties } = {},
): Help {
  const { extensions = [], reverse } = more;
  const ofSearches = Object.values(searches).flatMap((search) => search.extensions);
  return {
    ...top(registry, requested, { extensions: [...new Set([...ofSearches, ...extensions])] }),
    ...(reverse && { reverse_search_properties: reverse }),
  };
}

/** An answer with an HTTP status from 300. */
export function errorAnswer(
  registry: Registry,
  requested: Requested,
  failure: {
    readonly status: number;
    readonly title: string;
    readonly description: readonly string[];
    /** Whether the request is for an AS number. */
    readonly isAboutAutnum?: boolean;
  },
): Failure {
  const { status, title, description, isAboutAutnum = false } = failure;
  const extensions = isAboutAutnum ? ['nro_rdap_profile_asn_flat_0'] : [];
  return { ...top(registry, requested, { extensions }), errorCode: status, title, description };
}

/** The top-level members of an answer; `extensions` are in addition to those of every answer. */
function top(
  registry: Registry,
  requested: Requested,
  more: {
    readonly extensions: readonly string[];
    readonly notices?: readonly Notice[];
    readonly redacted?: readonly Redacted[];
  },
): Top {
  const { extensions, redacted = [] } = more;
  const notices = [...registryNotices(registry, requested), ...(more.notices ?? [])];
  return {
    rdapConformance: [...always, ...extensions],
    ...(notices.length > 0 && { notices }),
    ...(redacted.length > 0 && { redacted }),
    ...(registry.port43 !== undefined && { port43: registry.port43 }),
    lang: 'en',
  };
}

/** The extensions of a document and of the networks and AS numbers that it contains. */
function extensionsIn(document: Document): string[] {
  const names = new Set(extensionsOf[document.objectClassName]);
  const hasNetworks = 'network' in document || 'networks' in document;
  if (hasNetworks) names.add('geofeed1');
  if ('autnums' in document) names.add('nro_rdap_profile_asn_flat_0');
  return [...names];
}
