import { isIP } from 'node:net';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { JSONPath } from 'jsonpath-plus';
import { schemas } from '../src/documents.js';

// The numbered checks of ICANN's rdap-test for documents, written anew, and some of our own.

type Members = Readonly<Record<string, unknown>>;

/** A part of an answer to check. */
type Part =
  | 'answer'
  | 'link'
  | 'event'
  | 'notice'
  | 'redacted'
  | 'object'
  | 'ip network'
  | 'autnum'
  | 'domain'
  | 'nameserver'
  | 'entity'
  | 'cidr'
  | 'dsData'
  | 'any';

interface Check {
  /** As in rdap-test; below 100 our own. */
  readonly number: number;
  readonly part: Part;
  readonly says: string;
  readonly holds: (part: Members, answer: Members, isTop: boolean) => boolean;
}

/** Identifiers in IANA's registry of RDAP extensions, and APNIC's for histories. */
const extensions: ReadonlySet<unknown> = new Set([
  'rdap_level_0',
  'autnumSearchResults',
  'autnums',
  'cidr0',
  'geofeed1',
  'history_version_0',
  'ipSearchResults',
  'ips',
  'nro_rdap_profile_0',
  'nro_rdap_profile_asn_flat_0',
  'paging',
  'redacted',
  'reverse_search',
  'rirSearch1',
  'sorting',
]);
const noticeTypes: ReadonlySet<unknown> = new Set(
  ['result set', 'object'].flatMap((what) =>
    ['authorization', 'excessive load', 'unexplainable reasons'].map((why) => `${what} truncated due to ${why}`),
  ),
);
const roles: ReadonlySet<unknown> = new Set(['registrant', 'administrative', 'technical', 'abuse']);
const statuses: ReadonlySet<unknown> = new Set(['active', 'reserved', 'administrative']);
const actions: ReadonlySet<unknown> = new Set(['registration', 'last changed']);
const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
const rdapType = 'application/rdap+json';

const checks: readonly Check[] = [
  check(100, 'answer', 'has rdapConformance', (top) => Array.isArray(top.rdapConformance)),
  check(101, 'any', 'rdapConformance is at the top', (part, _, isTop) => isTop || part.rdapConformance === undefined),
  check(102, 'answer', 'extensions are registered', (top) => every(top.rdapConformance, (id) => extensions.has(id))),
  check(103, 'answer', 'rdapConformance is not empty', (top) => isFilled(top.rdapConformance)),
  check(200, 'link', 'has a value', ({ value }) => isUrl(value)),
  check(201, 'link', 'has a rel', ({ rel }) => isText(rel)),
  check(202, 'link', 'has a type', ({ type }) => isText(type)),
  check(203, 'link', 'of rel related is RDAP', ({ rel, type }) => rel !== 'related' || type === rdapType),
  check(205, 'link', 'to itself is RDAP', ({ rel, type }) => rel !== 'self' || type === rdapType),
  check(206, 'object', 'links to itself', hasSelfLink),
  check(207, 'link', 'has an href', ({ href }) => isUrl(href)),
  check(209, 'any', 'links are not empty', ({ links }) => isFilled(links)),
  check(400, 'event', 'has a date', ({ eventDate }) => isText(eventDate)),
  check(401, 'event', 'has a date of RFC 3339', ({ eventDate }) => isInstant(eventDate)),
  check(402, 'event', 'has an action', ({ eventAction }) => isText(eventAction)),
  check(403, 'event', 'has a registered action', ({ eventAction }) => actions.has(eventAction)),
  check(404, 'any', 'events are not empty', ({ events }) => isFilled(events)),
  check(500, 'notice', 'has a description', ({ description }) => description !== undefined),
  check(501, 'notice', 'has a description of lines', ({ description }) => Array.isArray(description)),
  check(502, 'notice', 'has a registered type', ({ type }) => type === undefined || noticeTypes.has(type)),
  check(503, 'any', 'notices are not empty', ({ notices }) => isFilled(notices)),
  check(504, 'any', 'remarks are not empty', ({ remarks }) => isFilled(remarks)),
  check(600, 'object', 'has a handle', ({ objectClassName, handle }) => hasNoHandle(objectClassName) || isText(handle)),
  check(602, 'ip network', 'has a parent handle or none', ({ parentHandle }) => isTextOrAbsent(parentHandle)),
  check(700, 'any', 'status is not empty', ({ status }) => isFilled(status) && every(status, isText)),
  check(701, 'any', 'status is registered', ({ status }) => every(status, (one) => statuses.has(one))),
  check(800, 'entity', 'roles are not empty', (part) => isFilled(part.roles) && every(part.roles, isText)),
  check(801, 'entity', 'roles are registered', (part) => every(part.roles, (role) => roles.has(role))),
  check(802, 'entity', 'roles are a list', (part) => part.roles === undefined || Array.isArray(part.roles)),
  check(900, 'domain', 'has an LDH name', ({ ldhName }) => isLdhName(ldhName)),
  check(900, 'nameserver', 'has an LDH name', ({ ldhName }) => isLdhName(ldhName)),
  check(1100, 'ip network', 'has a name or none', ({ name }) => isTextOrAbsent(name)),
  check(1100, 'autnum', 'has a name or none', ({ name }) => isTextOrAbsent(name)),
  check(1200, 'ip network', 'has a type or none', ({ type }) => isTextOrAbsent(type)),
  check(
    1300,
    'ip network',
    'has both ends',
    ({ startAddress, endAddress }) => isText(startAddress) && isText(endAddress),
  ),
  check(1301, 'ip network', 'has addresses', (part) => isAddress(part.startAddress) && isAddress(part.endAddress)),
  check(1302, 'ip network', 'ends after its start', (part) => endsOf(part).first <= endsOf(part).last),
  check(
    1303,
    'ip network',
    'has addresses of its version',
    (part) => `v${isIP(String(part.startAddress))}` === part.ipVersion,
  ),
  check(1304, 'ip network', 'has a version', ({ ipVersion }) => ipVersion === 'v4' || ipVersion === 'v6'),
  check(1305, 'nameserver', 'has addresses or none', ({ ipAddresses }) => hasGlue(ipAddresses)),
  check(1400, 'autnum', 'has both ends', (part) => isNumber(part.startAutnum) && isNumber(part.endAutnum)),
  check(1401, 'autnum', 'ends after its start', (part) => Number(part.startAutnum) <= Number(part.endAutnum)),
  check(
    1500,
    'entity',
    'has a jCard',
    ({ vcardArray }) => vcardArray === undefined || propertiesOf(vcardArray).length > 0,
  ),
  check(1501, 'entity', 'has an fn', ({ vcardArray }) => vcardArray === undefined || has(vcardArray, 'fn')),
  check(1502, 'entity', 'has a filled fn', ({ vcardArray }) => valuesIn(vcardArray, 'fn').every(isText)),
  check(1600, 'any', 'port43 is not empty', ({ port43 }) => isTextOrAbsent(port43)),
  check(1900, 'cidr', 'has a prefix', ({ v4prefix, v6prefix }) => isAddress(v4prefix) !== isAddress(v6prefix)),
  check(1901, 'cidr', 'has a length', ({ length }) => isNumber(length)),
  check(1904, 'ip network', 'has prefixes', ({ cidr0_cidrs }) => cidr0_cidrs !== undefined && isFilled(cidr0_cidrs)),
  check(
    2200,
    'domain',
    'says whether it is signed',
    ({ secureDNS }) => typeof delegationSigned(secureDNS) === 'boolean',
  ),
  check(2213, 'dsData', 'has an algorithm', ({ algorithm }) => isNumber(algorithm, 0xff)),
  check(2215, 'dsData', 'has a key tag', ({ keyTag }) => isNumber(keyTag, 0xffff)),
  check(2217, 'dsData', 'has a digest type', ({ digestType }) => isNumber(digestType, 0xff)),
  check(2220, 'domain', 'has DS records', ({ secureDNS }) => isFilled((secureDNS as Members | undefined)?.dsData)),
  check(2300, 'any', 'country is a text', ({ country }) => isTextOrAbsent(country)),
  check(2400, 'any', 'entities are not empty', ({ entities }) => isFilled(entities)),
  check(1, 'any', 'nothing is empty', (part) => Object.entries(part).every(([name, value]) => isNotEmpty(name, value))),
  check(2, 'answer', 'matches its schema', (top) => schemaFault(top) === undefined),
  check(3, 'ip network', 'prefixes make up the network', isMadeUpOfPrefixes),
  check(4, 'entity', 'has a jCard of RFC 7095', ({ vcardArray }) => propertiesOf(vcardArray).every(isProperty)),
  check(5, 'redacted', 'what was removed is absent', ({ prePath }, answer) => isRemoved(answer, prePath)),
  check(6, 'redacted', 'what is left is present', ({ postPath }, answer) => isPresent(answer, postPath)),
  check(7, 'entity', 'contacts have no contacts', (part) => part.roles === undefined || part.entities === undefined),
  check(8, 'any', 'notices are at the top', (part, _, isTop) => isTop || part.notices === undefined),
];

function check(number: number, part: Part, says: string, holds: Check['holds']): Check {
  return { number, part, says, holds };
}

/** The numbers of all checks. */
export const checkNumbers: readonly number[] = [...new Set(checks.map(({ number }) => number))];

/** The faults of an answer of RDAP (parsed JSON): "205 $.links[0]: to itself is RDAP"; empty if there are none. */
export function faultsOf(answer: unknown): string[] {
  const top = answer as Members;
  const faults: string[] = [];
  for (const { value, path, parts } of partsOf(top)) {
    for (const { number, part, says, holds } of checks) {
      if (!parts.includes(part) || holds(value, top, value === top)) continue;
      faults.push(`${number} ${path}: ${number === 2 ? schemaFault(top) : says}`);
    }
  }
  return faults;
}

/** The faults of the headers (names in lower case) of an answer of RDAP. */
export function headerFaultsOf(headers: Readonly<Record<string, string | string[] | undefined>>): string[] {
  const origin = headers['access-control-allow-origin'];
  const type = headers['content-type'];
  return [
    ...(origin === undefined ? ['1800 no access-control-allow-origin'] : []),
    ...(origin === undefined || origin === '*' ? [] : ['1801 access-control-allow-origin is no asterisk']),
    ...(headers['access-control-allow-credentials'] === undefined ? [] : ['1802 access-control-allow-credentials']),
    ...(type === undefined ? ['1803 no content-type'] : []),
    ...(type === undefined || type === rdapType ? [] : [`1804 content-type is ${type}`]),
  ];
}

interface Located {
  readonly value: Members;
  readonly path: string;
  readonly parts: readonly Part[];
}

const partOfList: Readonly<Record<string, Part>> = {
  links: 'link',
  events: 'event',
  notices: 'notice',
  remarks: 'notice',
  redacted: 'redacted',
  cidr0_cidrs: 'cidr',
  dsData: 'dsData',
};

/** All objects in an answer; jCards are values. */
function partsOf(top: Members): Located[] {
  const found: Located[] = [];
  const visit = (value: unknown, path: string, list: string) => {
    if (Array.isArray(value)) {
      for (const [index, one] of value.entries()) visit(one, `${path}[${index}]`, list);
    } else if (typeof value === 'object' && value !== null) {
      const members = value as Members;
      const parts: Part[] = ['any'];
      if (value === top) parts.push('answer');
      if (Object.hasOwn(partOfList, list)) parts.push(partOfList[list]!);
      const { objectClassName: name } = members;
      if (typeof name === 'string' && name !== 'history') parts.push('object', name as Part);
      found.push({ value: members, path, parts });
      for (const [member, inner] of Object.entries(members)) {
        if (member !== 'vcardArray') visit(inner, `${path}.${member}`, Array.isArray(inner) ? member : '');
      }
    }
  };
  visit(top, '$', '');
  return found;
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

function isTextOrAbsent(value: unknown): boolean {
  return value === undefined || isText(value);
}

function isNumber(value: unknown, max = 0xffffffff): boolean {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= max;
}

function isUrl(value: unknown): boolean {
  return typeof value === 'string' && /^https?:\/\/[!-~]+$/.test(value) && URL.canParse(value);
}

function isInstant(value: unknown): boolean {
  return typeof value === 'string' && rfc3339.test(value) && !Number.isNaN(Date.parse(value));
}

/** Absent, or a list with elements. */
function isFilled(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.length > 0);
}

function every(value: unknown, holds: (one: unknown) => boolean): boolean {
  return !Array.isArray(value) || value.every(holds);
}

/** A dangling reference has only a handle and roles; address registries have no objects for name servers. */
function hasSelfLink({ objectClassName, links, vcardArray, roles: contactRoles }: Members): boolean {
  if (objectClassName === 'nameserver') return true;
  if (contactRoles !== undefined && vcardArray === undefined) return true;
  return Array.isArray(links) && links.some(({ rel }) => rel === 'self');
}

function hasNoHandle(objectClassName: unknown): boolean {
  return objectClassName === 'nameserver';
}

function isLdhName(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    value.split('.').every((label) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i.test(label))
  );
}

function isAddress(value: unknown): boolean {
  return typeof value === 'string' && isIP(value) !== 0;
}

function hasGlue(ipAddresses: unknown): boolean {
  if (ipAddresses === undefined) return true;
  const { v4, v6 } = ipAddresses as Members;
  const isOf = (version: number) => (address: unknown) => isIP(String(address)) === version;
  const isGiven = v4 !== undefined || v6 !== undefined;
  return isGiven && isFilled(v4) && isFilled(v6) && every(v4, isOf(4)) && every(v6, isOf(6));
}

function delegationSigned(secureDns: unknown): unknown {
  return secureDns === undefined ? true : (secureDns as Members).delegationSigned;
}

/** An address as a number, by Node's own parser. */
function numberOf(address: unknown): bigint {
  const text = String(address);
  if (isIP(text) === 4) return BigInt(text.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0));
  const [before = '', after = ''] = text.split('::');
  const groups = (part: string) => (part === '' ? [] : part.split(':'));
  const head = groups(before);
  const tail = groups(after);
  const zeros = new Array(8 - head.length - tail.length).fill('0');
  return [...head, ...zeros, ...tail].reduce((sum, group) => sum * 65536n + BigInt(`0x${group}`), 0n);
}

function endsOf({ startAddress, endAddress }: Members): { first: bigint; last: bigint } {
  if (!isAddress(startAddress) || !isAddress(endAddress)) return { first: 0n, last: 0n };
  return { first: numberOf(startAddress), last: numberOf(endAddress) };
}

/** The prefixes are in order, without gaps or overlaps, and no two neighbours can be merged. */
function isMadeUpOfPrefixes(network: Members): boolean {
  if (!Array.isArray(network.cidr0_cidrs)) return true;
  const { first, last } = endsOf(network);
  const bits = network.ipVersion === 'v4' ? 32 : 128;
  let next = first;
  let before = 0n;
  for (const { v4prefix, v6prefix, length } of network.cidr0_cidrs as Members[]) {
    const prefix = v4prefix ?? v6prefix;
    if (!isAddress(prefix) || !isNumber(length, bits)) return false;
    const size = 1n << BigInt(bits - Number(length));
    const start = numberOf(prefix);
    const mergeable = size === before && (start - before) % (2n * size) === 0n;
    if (start !== next || start % size !== 0n || mergeable) return false;
    next = start + size;
    before = size;
  }
  return next === last + 1n;
}

function propertiesOf(vcardArray: unknown): unknown[][] {
  return Array.isArray(vcardArray) && vcardArray[0] === 'vcard' && Array.isArray(vcardArray[1]) ? vcardArray[1] : [];
}

function valuesIn(vcardArray: unknown, name: string): unknown[] {
  return propertiesOf(vcardArray)
    .filter(([one]) => one === name)
    .map((property) => property[3]);
}

function has(vcardArray: unknown, name: string): boolean {
  return valuesIn(vcardArray, name).length > 0;
}

const properties: Readonly<Record<string, readonly unknown[]>> = {
  version: ['text'],
  fn: ['text'],
  kind: ['text'],
  org: ['text'],
  adr: ['text'],
  tel: ['text', 'uri'],
  email: ['text'],
  geo: ['uri'],
};

/** The version is first; parameters are texts that are not empty; only addresses have a structured value. */
function isProperty(property: unknown[], index: number): boolean {
  const [name, parameters, type, value, ...more] = property;
  if (typeof name !== 'string' || typeof parameters !== 'object' || more.length > 0) return false;
  if ((index === 0) !== (name === 'version' && value === '4.0')) return false;
  if (!properties[name]?.includes(type) || !Object.values(parameters ?? {}).every(isText)) return false;
  if (type === 'uri' && !URL.canParse(String(value))) return false;
  return name === 'adr' ? Array.isArray(value) && value.length === 7 : isText(value);
}

/** No empty texts, lists or objects, except the parameters of jCards. */
function isNotEmpty(name: string, value: unknown): boolean {
  if (name === 'vcardArray') return true;
  if (typeof value === 'string') return value.trim() !== '';
  if (Array.isArray(value)) return value.length > 0 && value.every((one) => one !== '' && one !== null);
  return value !== null && value !== undefined && (typeof value !== 'object' || Object.keys(value).length > 0);
}

/** The parent of the field is present, and the field is absent. */
function isRemoved(answer: Members, prePath: unknown): boolean {
  if (prePath === undefined) return true;
  const path = String(prePath);
  const around = path.slice(0, path.lastIndexOf('[?('));
  return valuesAt(answer, around).length > 0 && valuesAt(answer, path).length === 0;
}

function isPresent(answer: Members, postPath: unknown): boolean {
  return postPath === undefined || valuesAt(answer, String(postPath)).length > 0;
}

/** The values that a JSONPath (RFC 9535) selects. */
export function valuesAt(document: unknown, path: string): unknown[] {
  return JSONPath({ json: document as object, path });
}

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema({ $id: 'rdap', components: { schemas: closed(schemas) } });

/** The first differences between an answer and its schema. Members that the schema does not name differ. */
function schemaFault(answer: Members): string | undefined {
  const validate = ajv.getSchema(`rdap#/components/schemas/${schemaOf(answer)}`) as ValidateFunction;
  return validate(answer) ? undefined : ajv.errorsText(validate.errors);
}

const answerSchemas: Readonly<Record<string, keyof typeof schemas>> = {
  'ip network': 'RdapIpNetworkAnswer',
  autnum: 'RdapAutnumAnswer',
  domain: 'RdapDomainAnswer',
  entity: 'RdapEntityAnswer',
  history: 'RdapHistory',
};

function schemaOf(answer: Members): keyof typeof schemas {
  if (answer.errorCode !== undefined) return 'RdapFailure';
  if (answer.ipSearchResults !== undefined) return 'RdapIpSearch';
  if (answer.autnumSearchResults !== undefined) return 'RdapAutnumSearch';
  if (answer.domainSearchResults !== undefined) return 'RdapDomainSearch';
  if (answer.entitySearchResults !== undefined) return 'RdapEntitySearch';
  return answerSchemas[String(answer.objectClassName)] ?? 'RdapHelp';
}

/** The schemas, with no further members allowed. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]));
  return 'properties' in inner && inner.type === 'object' ? { ...inner, additionalProperties: false } : inner;
}
