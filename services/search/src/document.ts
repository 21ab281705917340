import type { RegistryObject } from '@cadastre/proto/registry';
import { searchable } from '@cadastre/query';
import {
  type Attribute,
  type AttributeName,
  cleanValue,
  firstValueOf,
  foldKey,
  isObjectTypeName,
  listValues,
  parseObject,
  type RpslObject,
} from '@cadastre/rpsl';
import type { IndexDocument, ObjectId, TypeQuery } from './index-port.js';
import { nameTerms } from './name-terms.js';
import { occupiedRange } from './ranges.js';
import { prepareShown } from './run/found.js';
import { descriptionOf, nameOf, personNameOf, wordsOf } from './words.js';

/** A direct lookup finds the words of these attributes. */
const nameAttributes: ReadonlySet<string> = new Set(['person', 'role', 'org-name']);
const wordTerms: ReadonlySet<string> = new Set(['word', 'words']);
const namedTypes: ReadonlySet<string> = new Set(['person', 'role', 'organisation']);
const mailTypes: ReadonlySet<string> = new Set(['person', 'role', 'organisation', 'irt']);

/** Attributes with mail addresses, possibly after a name. */
const mailAttributes: ReadonlySet<string> = new Set([
  'e-mail',
  'notify',
  'upd-to',
  'mnt-nfy',
  'ref-nfy',
  'irt-nfy',
  'abuse-mailbox',
]);

/** Only the first word of these attributes is compared. */
const firstWordAttributes: ReadonlySet<string> = new Set(['mnt-routes', 'ifaddr', 'nserver']);

/** The identity of the object of a change or an export; undefined for types that this release does not know. */
export function objectId(object: RegistryObject): ObjectId | undefined {
  if (!isObjectTypeName(object.type)) return undefined;
  return { source: object.source, type: object.type, key: foldKey(object.type, object.key) };
}

/** An object with all its search terms; undefined when it cannot be read. */
export function indexDocument(object: RegistryObject): IndexDocument | undefined {
  const id = objectId(object);
  const parsed = parseObject(object.text);
  if (id === undefined || !parsed.ok) return undefined;
  const range = occupiedRange(parsed.object);
  const origin = firstValueOf(parsed.object, 'origin')?.toLowerCase();
  const name = nameOf(parsed.object);
  const personName = personNameOf(parsed.object);
  const descr = descriptionOf(parsed.object);
  return {
    ...id,
    text: object.text,
    revision: object.revision,
    serial: object.serial,
    ...(object.created ? { created: object.created } : {}),
    modified: object.lastModified ?? new Date(0),
    tags: object.tags,
    shown: prepareShown(parsed.object, id.key),
    terms: allTerms(id, parsed.object),
    hosts: hostsOf(parsed.object),
    words: wordsOf(parsed.object),
    ...(name !== undefined && { name }),
    ...(personName !== undefined && { personName }),
    ...(descr !== undefined && { descr }),
    ...(range ? { range } : {}),
    ...(origin !== undefined && (id.type === 'route' || id.type === 'route6') ? { origin } : {}),
  };
}

/** An object that the index found, by what its terms are made of. Reads `object`, which may be parsed then, if it must. */
interface FoundByTerms {
  readonly stored: Pick<ObjectId, 'key'>;
  readonly object: RpslObject;
}

/**
 * Whether an object that the index found for a query really matches its terms: the index may compare only hashes of
 * terms (ADR 0077).
 */
export function isMatch(one: FoundByTerms, query: TypeQuery | undefined): boolean {
  if (query?.kind !== 'terms') return true;
  const { anyOf, hosts } = query;
  if (anyOf.some((all) => all.every((term) => hasTerm(one, term)))) return true;
  return hosts !== undefined && hostsOf(one.object).some((host) => host.startsWith(hosts));
}

/** Whether `indexDocument` gives an object the term. */
function hasTerm(one: FoundByTerms, term: string): boolean {
  const name = term.slice(0, term.indexOf('='));
  if (name === 'key') return term === `key=${one.stored.key}`;
  const { type, attributes } = one.object;
  return attributes.some(
    (a) => (a.name === name || (wordTerms.has(name) && nameAttributes.has(a.name))) && termsOf(type, a).includes(term),
  );
}

function allTerms({ type, key }: ObjectId, { attributes }: RpslObject): string[] {
  const terms = new Set([`key=${key}`]);
  for (const attribute of attributes) {
    if (termAttributes.has(attribute.name)) for (const term of termsOf(type, attribute)) terms.add(term);
  }
  return [...terms];
}

function termsOf(type: string, attribute: Attribute): string[] {
  const { name } = attribute;
  const comparison = searchable[name as AttributeName];
  const inverse = comparison && comparison.kind !== 'host' ? comparable(attribute) : [];
  return [...inverse.map((value) => `${name}=${value}`), ...lookupTerms(type, attribute)];
}

/** The attributes that may have terms. */
const termAttributes: ReadonlySet<string> = new Set([
  ...Object.keys(searchable),
  ...nameAttributes,
  'e-mail',
  'netname',
]);

/** The terms for direct lookups besides the primary key. */
function lookupTerms(type: string, attribute: Attribute): string[] {
  const { name } = attribute;
  if (nameAttributes.has(name) && namedTypes.has(type)) {
    return nameTerms(cleanValue(attribute).toLowerCase());
  }
  if (name === 'e-mail' && mailTypes.has(type)) return comparable(attribute).map((value) => `e-mail=${value}`);
  if (name === 'netname') return [`netname=${cleanValue(attribute).toLowerCase()}`];
  return [];
}

/** The values of an attribute in comparable form. */
function comparable(attribute: Attribute): string[] {
  const values = listValues(attribute).map((value) => value.toLowerCase());
  if (mailAttributes.has(attribute.name)) return values.map(bareAddress);
  if (firstWordAttributes.has(attribute.name)) return values.map((value) => /^[^ {]*/.exec(value)![0]);
  // Searches must not reveal password hashes or account names.
  if (attribute.name === 'auth') return values.filter((value) => /^(?:pgpkey|x509)-/.test(value));
  return values;
}

/** The bare address of `Desk <noc@example.net>`. */
function bareAddress(value: string): string {
  return /<([^<>]*)>/.exec(value)?.[1]?.trim() ?? value;
}

function hostsOf(object: RpslObject): string[] {
  if (object.type !== 'domain') return [];
  const servers = object.attributes.filter((a) => a.name === 'nserver').flatMap(comparable);
  return [...new Set(servers.map((name) => name.replace(/\.$/, '')))].filter((name) => name !== '');
}
