import { attributeType, objectTypeNames } from '@cadastre/rpsl';
import type { CheckedObject, CheckedPage } from '../api/checked-objects.js';
import { shortConflict } from '../object/roa-text.js';
import type { ObjectName } from '../paths.js';

/** The possible problems of an object, most important first. */
export const warningKinds = ['conflict', 'no-roa', 'no-contact', 'undeliverable', 'dead-reference'] as const;
export type WarningKind = (typeof warningKinds)[number];

/** A problem of an object. */
export interface Warning {
  readonly kind: WarningKind;
  readonly object: ObjectName;
  /** The details; may be empty. */
  readonly text: string;
}

const resourceTypes: readonly string[] = ['inetnum', 'inet6num', 'aut-num'];

/** The problems of one object. */
export function warningsOf({ object, lacksRoa }: CheckedObject): Warning[] {
  const { name, abuseContact } = object;
  const isResource = resourceTypes.includes(name.type);
  const warning = (kind: WarningKind, text = '', about = name): Warning => ({ kind, object: about, text });
  return [
    ...(object.messages ?? []).map(({ text }) => warning('conflict', shortConflict(text.replace(/\s+/g, ' ')))),
    ...(lacksRoa ? [warning('no-roa')] : []),
    ...(isResource && abuseContact === undefined ? [warning('no-contact')] : []),
    // The contact, and not each object that has it.
    ...(abuseContact?.suspect
      ? [warning('undeliverable', abuseContact.email, { ...name, type: 'role', key: abuseContact.key })]
      : []),
    ...object.attributes
      .filter((attribute) => attribute.target === undefined && namesContact(attribute.name))
      .map((attribute) => warning('dead-reference', `${attribute.name}: ${attribute.value}`)),
  ];
}

/** The registry links contacts only if they exist. */
function namesContact(attribute: string): boolean {
  return attributeType(attribute)?.references.includes('role') ?? false;
}

/** Objects of one mntner. */
export interface CheckedPart {
  readonly maintainer: ObjectName;
  readonly types: readonly string[];
}

/** The progress of the check of the objects of some mntners. */
export interface Check {
  /** The remaining parts; the first one from `cursor`. */
  readonly left: readonly CheckedPart[];
  readonly cursor: string;
  /** How many objects are checked. */
  readonly checked: number;
  readonly found: Readonly<Record<WarningKind, Found>>;
}

/** The warnings of a kind. */
export interface Found {
  readonly count: number;
  readonly first: readonly Warning[];
}

const maxEntries = 200;
const none: Found = { count: 0, first: [] };

const networkTypes: readonly string[] = ['inetnum', 'inet6num'];
const personalTypes: readonly string[] = ['person', 'role'];
const otherTypes = objectTypeNames.filter((type) => !networkTypes.includes(type) && !personalTypes.includes(type));

/**
 * A check that has not begun. Networks come last, because they are the most frequent; persons and roles are not
 * checked.
 */
export function newCheck(mntners: readonly ObjectName[]): Check {
  const left = [otherTypes, networkTypes].flatMap((types) => mntners.map((maintainer) => ({ maintainer, types })));
  const found = { conflict: none, 'no-roa': none, 'no-contact': none, undeliverable: none, 'dead-reference': none };
  return { left, cursor: '', checked: 0, found };
}

/** The check after the next page of its first part. A warning that is stored already counts once. */
export function afterPage({ left, cursor: _, checked, found }: Check, { objects, next }: CheckedPage): Check {
  const all = { ...found };
  for (const warning of objects.flatMap(warningsOf)) {
    const { count, first } = all[warning.kind];
    if (first.some((other) => isSame(other, warning))) continue;
    all[warning.kind] = { count: count + 1, first: count < maxEntries ? [...first, warning] : first };
  }
  return { left: next === '' ? left.slice(1) : left, cursor: next, checked: checked + objects.length, found: all };
}

function isSame(a: Warning, b: Warning): boolean {
  return a.object.key === b.object.key && a.object.type === b.object.type && a.text === b.text;
}
