import { allOf, messages, type ObjectTypeName, valuesOf } from '@cadastre/rpsl';
import { places, valuePlaces } from '../places.js';
import type { Rule } from './rule.js';

/** Words of the policy language (RPSL); they cannot be names. */
const reservedWords: ReadonlySet<string> = new Set([
  'any',
  'as-any',
  'rs-any',
  'peeras',
  'and',
  'or',
  'not',
  'atomic',
  'from',
  'to',
  'at',
  'action',
  'accept',
  'announce',
  'except',
  'refine',
  'networks',
  'into',
  'inbound',
  'outbound',
]);

/** A name is not a reserved word. */
export const reservedName: Rule = {
  id: 'G-RESERVED',
  types: 'all',
  actions: ['create'],
  check: ({ key }) => (reservedWords.has(key.folded) ? [messages.reservedName(key.folded)] : []),
};

/** Prefixes of names that belong to one type. */
const prefixes: readonly (readonly [prefix: string, type: ObjectTypeName])[] = [
  ['as-', 'as-set'],
  ['rs-', 'route-set'],
  ['rtrs-', 'rtr-set'],
  ['fltr-', 'filter-set'],
  ['prng-', 'peering-set'],
  ['org-', 'organisation'],
  ['irt-', 'irt'],
  ['pgpkey-', 'key-cert'],
  ['x509-', 'key-cert'],
];

/** A name does not start with the prefix of another type. */
export const reservedPrefix: Rule = {
  id: 'G-RESERVED-PREFIX',
  types: 'all',
  actions: ['create'],
  check: ({ object, key }) =>
    prefixes
      .filter(([prefix, type]) => key.folded.startsWith(prefix) && object.type !== type)
      .map(([prefix, type]) => messages.reservedPrefix(prefix, type)),
};

/** `source` is the source to which the object is written. */
export const sourceKnown: Rule = {
  id: 'G-SOURCE',
  types: 'all',
  actions: ['create', 'modify'],
  isEarly: true,
  check: ({ object }, { source }) =>
    valuesOf(object, 'source')
      .map((value) => value.toUpperCase())
      .filter((value) => value !== source)
      .map((value) => messages.unrecognizedSource(value)),
};

/** `source` has no comment: the registry puts its own marks there (`# Filtered`). */
export const sourceComment: Rule = {
  id: 'G-SOURCE-COMMENT',
  types: 'all',
  actions: ['create', 'modify'],
  check: ({ object }) => (allOf(object, 'source').some((a) => a.raw.includes('#')) ? [messages.sourceComment()] : []),
};

/** `country` holds a code that the policy knows. */
export const country: Rule = {
  id: 'G-COUNTRY',
  types: 'all',
  actions: ['create', 'modify'],
  isEarly: true,
  check: ({ object }, _facts, { countries }) =>
    valuePlaces(object, 'country')
      .filter(({ value }) => !countries.has(value.toUpperCase()))
      .map((place) => messages.unknownCountry(place.value, place)),
};

/** `language` holds a code that the policy knows. */
export const language: Rule = {
  id: 'G-LANGUAGE',
  types: 'all',
  actions: ['create', 'modify'],
  isEarly: true,
  check: ({ object }, _facts, { languages }) =>
    valuesOf(object, 'language')
      .filter((value) => !languages.has(value.toUpperCase()))
      .map((value) => messages.unknownLanguage(value)),
};

/** `org-name` is one line with single spaces. */
export const orgNameFormat: Rule = {
  id: 'G-ORGNAME-FORMAT',
  types: ['organisation'],
  actions: ['create', 'modify'],
  check: ({ object }) =>
    places(object, 'org-name')
      .filter(({ attribute }) => /[\t\r\n]|\s{2}/.test(attribute.raw.replace(/#[^\n]*/g, '').trim()))
      .map((place) => messages.orgNameLayout(place)),
};
