import { prefixLength } from './address-range.js';
import { parseAsBlock, parseAsNumber } from './as-number.js';
import { withoutTrailingDot } from './domain-name.js';
import { formatIpv4Range, ipv4Ends, parseIpv4Range } from './ipv4.js';
import { parseIpv6Prefix } from './ipv6.js';
import { asciiLowerCase } from './letter-case.js';
import type { Message } from './message.js';
import { parsingMessages as messages } from './messages/parsing.js';
import type { RpslObject } from './object.js';
import { formatPrefix } from './resource.js';
import { checkSyntax } from './syntax/index.js';
import { attributeType, type ObjectTypeName, objectType, syntaxes } from './types.js';
import { cleanValue } from './value.js';

/** The primary key of an object. */
export interface Key {
  /** The stored and shown form: canonical addresses, letter case as written. */
  readonly shown: string;
  /** The form for comparison and indexes: two keys of a type are equal when this text is. */
  readonly folded: string;
}

type KeyReader = (value: string) => Key | undefined;

/** Types whose keys have several spellings. For all others: the clean value, ignoring letter case. */
const keyReaders: { readonly [type in ObjectTypeName]?: KeyReader } = {
  inetnum: inetnumKey,
  inet6num: inet6numKey,
  'as-block': asBlockKey,
  route: routeKey,
  route6: route6Key,
  domain: domainNameKey,
  'inet-rtr': domainNameKey,
};

/**
 * The key of an object. Attributes must have their full names. Returns messages when a key attribute is missing,
 * repeated or empty; a value with invalid syntax still makes a key.
 */
export function primaryKey(o: RpslObject): Key | { readonly messages: Message[] } {
  const values = keyValues(o);
  if (Array.isArray(values)) return { messages: values };
  return readKey(o.type, values.text);
}

/**
 * The shown form of the key of an object with a known folded key. Most objects have it in this form already, so that
 * nothing is parsed. Returns the folded key for an object without a key.
 */
export function shownKey(o: RpslObject, folded: string): string {
  const values = keyValues(o);
  if (Array.isArray(values)) return folded;
  const { text } = values;
  const isShown = text === folded || (!letteredTypes.has(o.type) && asciiLowerCase(text) === folded);
  return isShown ? text : readKey(o.type, text).shown;
}

/** Types whose keys always show some letters in lower case. */
const letteredTypes: ReadonlySet<ObjectTypeName> = new Set<ObjectTypeName>(['inet6num', 'route6']);

/**
 * Parses a key in a path or a query: accepts any spelling of addresses, a trailing dot of domain names, and one AS
 * number for an as-block. Undefined when it cannot be a key of the type.
 */
export function parseKey(type: ObjectTypeName, text: string): Key | undefined {
  const value = oneLine(text);
  if (!hasReader(type) && !checkSyntax(keyAttributeNames(type)[0]!, type, value)) return undefined;
  return keyOf(type, value);
}

/** The key in a path (`parseKey`), where any text can be a name: for requests whether it exists. */
export function spelledKey(type: ObjectTypeName, text: string): Key | undefined {
  return keyOf(type, oneLine(text));
}

function oneLine(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}

/** Whether the reader of a type finds texts that cannot be its key. */
function hasReader(type: ObjectTypeName): boolean {
  return type !== 'domain' && type !== 'inet-rtr' && keyReaders[type] !== undefined;
}

function keyOf(type: ObjectTypeName, value: string): Key | undefined {
  if (!hasReader(type)) return value === '' ? undefined : readKey(type, value);
  const isNumber = type === 'as-block' && parseAsNumber(value) !== undefined;
  return keyReaders[type]!(isNumber ? `${value}-${value}` : value);
}

/** Names of other registries: without blanks, and not flags of a query. */
const foreignName = /^(?!-)[!-~]{1,254}$/;

/** The form of names of these types in all registries. Searches recognise the types of names by it. */
const foreignForms: { readonly [type in ObjectTypeName]?: { readonly form: RegExp; readonly doc: string } } = {
  domain: { form: /(?:^|\.)arpa$/i, doc: 'ends with "arpa"' },
  'as-set': { form: /(?:^|:)as-[^:]/i, doc: 'has a part that starts with "as-"' },
  'route-set': { form: /(?:^|:)rs-[^:]/i, doc: 'has a part that starts with "rs-"' },
  'rtr-set': { form: /(?:^|:)rtrs-[^:]/i, doc: 'has a part that starts with "rtrs-"' },
  'filter-set': { form: /(?:^|:)fltr-[^:]/i, doc: 'has a part that starts with "fltr-"' },
  'peering-set': { form: /(?:^|:)prng-[^:]/i, doc: 'has a part that starts with "prng-"' },
  'key-cert': { form: /^(?:pgpkey|x509)-./i, doc: 'starts with "PGPKEY-" or "X509-"' },
  irt: { form: /^irt-./i, doc: 'starts with "irt-"' },
  poem: { form: /^poem-./i, doc: 'starts with "poem-"' },
  'poetic-form': { form: /^form-./i, doc: 'starts with "form-"' },
};

/**
 * The key (`parseKey`) of an object of another registry, whose names have their own syntax: `HOSTMASTER-AP`,
 * `JP00012345`. Addresses and AS numbers are the same everywhere.
 */
export function parseForeignKey(type: ObjectTypeName, text: string): Key | undefined {
  if (!isNamed(type)) return parseKey(type, text);
  return isForeignName(type, text) ? readKey(type, text.trim()) : undefined;
}

/** Whether a text can be the key of an object of this or another registry; for types whose keys are names. */
export function isForeignName(type: ObjectTypeName, text: string): boolean {
  const { shown } = readKey(type, text.trim());
  return foreignName.test(shown) && (foreignForms[type]?.form.test(shown) ?? true);
}

/** Whether the key of a type is a name, without addresses and AS numbers. */
function isNamed(type: ObjectTypeName): boolean {
  return type !== 'aut-num' && !hasReader(type);
}

/** Describes in one sentence the keys of a type, of this registry or (`foreign`) of others. */
export function keyForm(type: ObjectTypeName, options: { readonly foreign?: boolean } = {}): string {
  if (options.foreign && isNamed(type)) {
    const more = foreignForms[type]?.doc;
    return `Up to 254 ASCII characters without blanks${more ? `; ${more}` : ''}.`;
  }
  return keyAttributeNames(type)
    .map((name) => syntaxes.find(({ id }) => id === attributeType(name)!.syntax)!.description)
    .join(' ');
}

/** The form for comparison of a type's shown key. */
export function foldKey(type: ObjectTypeName, shown: string): string {
  return readKey(type, shown).folded;
}

/** The attributes that form the key with their clean values, in object order. */
export function keyAttributesOf(o: RpslObject): { name: string; value: string }[] {
  const names: readonly string[] = keyAttributeNames(o.type);
  return o.attributes.filter((a) => names.includes(a.name)).map((a) => ({ name: a.name, value: cleanValue(a) }));
}

function readKey(type: ObjectTypeName, value: string): Key {
  return keyReaders[type]?.(value) ?? { shown: value, folded: asciiLowerCase(value) };
}

function keyAttributeNames(type: ObjectTypeName) {
  return objectType(type)!.keyAttributes;
}

/** The joined clean values of the key attributes, or the errors. */
function keyValues(o: RpslObject): { text: string } | Message[] {
  let text = '';
  for (const name of keyAttributeNames(o.type)) {
    let value: string | undefined;
    for (const attribute of o.attributes) {
      if (attribute.name !== name) continue;
      if (value !== undefined) return [messages.keyAttributeRepeated(name, o.type)];
      value = cleanValue(attribute);
    }
    if (value === undefined) return [messages.keyAttributeMissing(name, o.type)];
    if (value === '') return [messages.keyAttributeEmpty()];
    text += value;
  }
  return { text };
}

function inetnumKey(value: string): Key | undefined {
  const ends = ipv4Ends(value);
  return ends && plain(formatIpv4Range(ends));
}

function inet6numKey(value: string): Key | undefined {
  const range = parseIpv6Prefix(value);
  return range && plain(formatPrefix(range));
}

function asBlockKey(value: string): Key | undefined {
  const range = parseAsBlock(value);
  return range && { shown: value, folded: `as${range.first} - as${range.last}` };
}

function routeKey(value: string): Key | undefined {
  const parts = routeParts(value);
  const range = parts && parseIpv4Range(parts.prefix);
  return range && prefixLength(range) !== undefined ? withOrigin(formatPrefix(range), parts.origin) : undefined;
}

function route6Key(value: string): Key | undefined {
  const parts = routeParts(value);
  const range = parts && parseIpv6Prefix(parts.prefix);
  return range && withOrigin(formatPrefix(range), parts.origin);
}

/** Splits a route key before the last `AS` that is followed by digits only. */
function routeParts(value: string): { prefix: string; origin: string } | undefined {
  const start = asciiLowerCase(value).lastIndexOf('as');
  const origin = value.slice(start);
  return start < 1 || parseAsNumber(origin) === undefined
    ? undefined
    : { prefix: value.slice(0, start).trim(), origin };
}

function withOrigin(prefix: string, origin: string): Key {
  return { shown: prefix + origin, folded: prefix + asciiLowerCase(origin) };
}

function domainNameKey(value: string): Key {
  const shown = withoutTrailingDot(value);
  return { shown, folded: asciiLowerCase(shown) };
}

function plain(text: string): Key {
  return { shown: text, folded: text };
}
