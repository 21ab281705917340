import type { ObjectTypeName } from '@cadastre/rpsl';
import type { RegistryPlan } from '@cadastre/synthetic';
import type { HttpRequest } from './load-generator.ts';

/** One kind of request; the n-th one is the same in every run. */
export interface Scenario {
  readonly name: string;
  /** Number of different requests; request `distinct` is request 0 again. */
  readonly distinct: number;
  request(n: number): HttpRequest;
  /** Number of the first request, which separates kinds that share objects; default 0. */
  readonly first?: number;
  /** The expected statuses. */
  readonly statuses: readonly number[];
  /** More requests per second than any system answers. */
  readonly maxPerSecond?: number;
}

export type Format = 'json' | 'xml';

const get = (path: string): HttpRequest => ({ method: 'GET', path });

const hotKeys = 1000;
/** Enough keys that no object is requested again while it could still be in a cache. */
const uniformKeys = 150_000;
/** A handle has at most six digits. */
const missingKeys = 999_999;

/** Lookups of the same few objects. */
export function hotLookups(plan: RegistryPlan, format: Format): Scenario {
  return { ...lookups(lookupPaths(plan, format, hotKeys)), name: 'hot' };
}

/** Lookups of objects of the whole registry. Kinds that start at different parts never share a cached response. */
export function uniformLookups(plan: RegistryPlan, format: Format, part: number): Scenario {
  const scenario = lookups(lookupPaths(plan, format, uniformKeys));
  return { ...scenario, name: 'uniform', first: Math.floor(scenario.distinct * part) };
}

/** Lookups of the same objects by RDAP and by REST. */
export interface RdapLookups {
  readonly name: string;
  readonly rdap: Scenario;
  readonly rest: Scenario;
}

interface RegistryObject {
  readonly type: ObjectTypeName;
  readonly key: string;
}

/** What RDAP calls a kind of objects, and its types. */
const rdapKinds: readonly { readonly kind: string; readonly types: readonly ObjectTypeName[] }[] = [
  { kind: 'autnum', types: ['aut-num'] },
  { kind: 'entity', types: ['person', 'organisation', 'role', 'mntner'] },
  { kind: 'domain', types: ['domain'] },
];

/** Lookups of the same few networks, and of networks, AS numbers, contacts and zones of the whole registry. */
export function rdapLookups(plan: RegistryPlan): RdapLookups[] {
  const network = (n: number): RegistryObject => ({ type: 'inetnum', key: networkOf(plan, n) });
  const networks = plan.counts.inetnum - 1;
  return [
    rdapLookup(plan, 'ip, hot', Math.min(hotKeys, networks), network),
    rdapLookup(plan, 'ip, uniform', Math.min(uniformKeys, networks), network),
    ...rdapKinds.map(({ kind, types }) =>
      rdapLookup(plan, `${kind}, uniform`, Math.min(uniformKeys, countOf(plan, types)), (n) =>
        objectOf(plan, n, types),
      ),
    ),
  ];
}

function rdapLookup(
  { source }: RegistryPlan,
  name: string,
  distinct: number,
  object: (n: number) => RegistryObject,
): RdapLookups {
  const [kind] = name.split(',');
  const shared = { name, distinct, statuses: [200] };
  const path = ({ type, key }: RegistryObject) => `${source}/${type}/${encodeURIComponent(key)}.json`;
  return {
    name,
    rdap: { ...shared, request: (n) => get(`/rdap/${kind}/${encodeURIComponent(object(n).key)}`) },
    rest: { ...shared, request: (n) => get(`/${path(object(n))}`) },
  };
}

/** The n-th of the networks of the whole registry, without the one that is the root. */
export function networkOf(plan: RegistryPlan, n: number): string {
  return plan.key('inetnum', 1 + ((n * stride) % (plan.counts.inetnum - 1)));
}

/** The n-th handle of no object: generated handles begin with two letters. */
export function missingHandle(source: string, n: number): string {
  return `ZQZQ${1 + (n % missingKeys)}-${source}`;
}

/** Lookups of persons who do not exist, each once. */
export function missingLookups({ source }: RegistryPlan, part: number): Scenario {
  return {
    name: 'missing (404)',
    distinct: missingKeys,
    request: (n) => get(`/${source}/person/${missingHandle(source, n)}.json`),
    first: Math.floor(missingKeys * part),
    statuses: [404],
  };
}

function lookups(paths: readonly string[]): Omit<Scenario, 'name'> {
  return { distinct: paths.length, request: (n) => get(paths[n]!), statuses: [200] };
}

/** Coprime to all relevant counts, so that steps of this length reach every object before any repeats. */
const stride = 7_368_787;

/** Paths of lookups of up to `most` objects, spread over the whole registry, without duplicates. */
export function lookupPaths(plan: RegistryPlan, format: Format, max: number): string[] {
  return Array.from({ length: Math.min(countOf(plan), max) }, (_, n) => {
    const { type, key } = objectOf(plan, n);
    return `/${plan.source}/${type}/${encodeURIComponent(key)}.${format}`;
  });
}

const allTypes = ({ counts }: RegistryPlan) => Object.keys(counts) as ObjectTypeName[];

/** The number of objects of these types; default: of all. */
function countOf(plan: RegistryPlan, types: readonly ObjectTypeName[] = allTypes(plan)): number {
  return types.reduce((sum, type) => sum + plan.counts[type], 0);
}

/** The n-th object of these types, spread over the whole registry; after all of them the first again. */
export function objectOf(
  plan: RegistryPlan,
  n: number,
  types: readonly ObjectTypeName[] = allTypes(plan),
): RegistryObject {
  let index = (n * stride) % countOf(plan, types);
  for (const type of types) {
    if (index < plan.counts[type]) return { type, key: plan.key(type, index) };
    index -= plan.counts[type];
  }
  throw new RangeError(`The registry has no object ${n}`);
}

const samples = 2000;
const limit = 100;
/** Some of these groups begin with an allocation. */
const networksPerGroup = 60;
const wideEnough = 2048;

/** A kind of search; absent criteria are those of a search with a term alone. */
interface SearchKind {
  readonly name: string;
  readonly terms: readonly string[];
  readonly types?: readonly string[];
  readonly inverseAttributes?: readonly string[];
  readonly flags?: readonly string[];
  /** Maximum number of objects. */
  readonly limit?: number;
}

/** Searches of every kind, each with a result. */
export function searchScenarios(plan: RegistryPlan): Scenario[] {
  const networks = sampled(plan, 'inetnum').map((index) => plan.key('inetnum', index));
  const addresses = networks.map(firstAddress);
  const wide = Array.from({ length: Math.floor(plan.counts.inetnum / networksPerGroup) }, (_, group) =>
    plan.key('inetnum', 1 + group * networksPerGroup),
  ).filter((key) => sizeOf(key) >= wideEnough);
  const values = (type: ObjectTypeName, attribute: string) => valuesOf(plan, type, attribute);
  const types = ['inetnum'];
  const flags = ['r'];
  const kinds: SearchKind[] = [
    { name: 'exact', terms: networks, types, flags: ['r', 'x'] },
    { name: 'nearest enclosing', terms: addresses, types, flags },
    { name: 'one-less', terms: networks, types, flags: ['r', 'l'] },
    { name: 'all enclosing', terms: addresses, types, flags: ['r', 'L'] },
    { name: 'one-more', terms: distinct(wide).slice(0, samples), types, flags: ['r', 'm'], limit },
    { name: 'all more', terms: distinct(wide).slice(0, samples), types, flags: ['r', 'M'], limit },
    { name: 'default flags', terms: addresses },
    {
      name: 'inverse mnt-by',
      terms: values('route', 'mnt-by'),
      types: ['route'],
      inverseAttributes: ['mnt-by'],
      flags,
      limit,
    },
    { name: 'inverse admin-c', terms: values('inetnum', 'admin-c'), inverseAttributes: ['admin-c'], flags, limit },
    { name: 'inverse origin', terms: values('route', 'origin'), inverseAttributes: ['origin'], flags, limit },
    { name: 'name', terms: values('person', 'person'), types: ['person'], flags, limit },
  ];
  return kinds.map((kind) => searchScenario(plan.source, kind));
}

function searchScenario(
  source: string,
  { name, terms, types = [], inverseAttributes = [], flags = [], limit: max }: SearchKind,
): Scenario {
  const shared: [name: string, value: string][] = [
    ['source', source],
    ...named('type-filter', types),
    ...named('inverse-attribute', inverseAttributes),
    ...named('flags', flags),
    ...named('limit', max === undefined ? [] : [String(max)]),
  ];
  return {
    name,
    distinct: terms.length,
    request: (n) => get(`/search.json?${new URLSearchParams([...shared, ['query-string', terms[n]!]])}`),
    statuses: [200],
  };
}

function named(name: string, values: readonly string[]): [name: string, value: string][] {
  return values.map((value) => [name, value]);
}

/** Requests for the abuse contacts and the locations of networks; not every network has them. */
export function geoScenarios(plan: RegistryPlan): Scenario[] {
  const networks = sampled(plan, 'inetnum').map((index) => plan.key('inetnum', index));
  const shared = { distinct: networks.length, statuses: [200, 404] };
  const headers = { accept: 'application/json' };
  return [
    {
      ...shared,
      name: 'abuse contact',
      request: (n) => ({ ...get(`/abuse-contact/${encodeURIComponent(networks[n]!)}`), headers }),
    },
    {
      ...shared,
      name: 'geolocation',
      request: (n) => ({ ...get(`/geolocation?ipkey=${firstAddress(networks[n]!)}`), headers }),
    },
  ];
}

/** Numbers of objects of a type across the registry, without the first one, which is the root of a tree. */
function sampled({ counts }: RegistryPlan, type: ObjectTypeName): number[] {
  const others = counts[type] - 1;
  return Array.from({ length: Math.min(samples, others) }, (_, n) => 1 + ((n * stride) % others));
}

/** Addresses in networks across the registry. */
export function sampledAddresses(plan: RegistryPlan): string[] {
  return sampled(plan, 'inetnum').map((index) => firstAddress(plan.key('inetnum', index)));
}

/** The different values of an attribute across the registry. */
export function valuesOf(plan: RegistryPlan, type: ObjectTypeName, attribute: string): string[] {
  return distinct(sampled(plan, type).flatMap((index) => attributeOf(plan.text(type, index), attribute) ?? []));
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)];
}

function attributeOf(text: string, attribute: string): string | undefined {
  return new RegExp(`^${attribute}: *([^#\n]*[^# \n])`, 'm').exec(text)?.[1];
}

function firstAddress(network: string): string {
  return network.split(' ')[0]!;
}

/** Number of addresses of an IPv4 range. */
function sizeOf(network: string): number {
  const [first, last] = network
    .split(' - ')
    .map((address) => address.split('.').reduce((number, octet) => number * 256 + Number(octet), 0));
  return last! - first! + 1;
}
