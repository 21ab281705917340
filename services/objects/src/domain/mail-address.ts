import { attributeType, bareEmail, isEmail, listValues, type RpslObject } from '@cadastre/rpsl';
import { privateTopLevelNames } from '@cadastre/service';
import { type ValuePlace, valuePlaces } from './places.js';

/** Attributes whose addresses get mails about changes. */
export const notifiedAttributes = ['notify', 'mnt-nfy', 'upd-to', 'ref-nfy', 'irt-nfy'] as const;

/** Top-level names to which no mail goes: also that of examples (RFC 2606), and that of the DNS itself. */
const unmailable: ReadonlySet<string> = new Set([...privateTopLevelNames, 'example', 'arpa']);

/** Whether a mail can be sent to an address: its domain is a public name, not an IP address or a single word. */
export function isReachable(address: string): boolean {
  if (!isEmail(address)) return false;
  const bare = bareEmail(address) ?? address;
  const labels = bare
    .slice(bare.lastIndexOf('@') + 1)
    .toLowerCase()
    .split('.');
  const last = labels.at(-1)!;
  return labels.length > 1 && /^(?:[a-z]{2,}|xn--[a-z0-9-]+)$/.test(last) && !unmailable.has(last);
}

/** The addresses (folded, sorted, without duplicates) that an object names for mails about changes. */
export function notifiedAddresses(object: RpslObject): string[] {
  const names: readonly string[] = notifiedAttributes;
  const values = object.attributes.filter(({ name }) => names.includes(name)).flatMap(listValues);
  return [...new Set(values.filter(isReachable).map(foldEmail))].sort();
}

/** What the registry knows about the addresses that a write names. */
export interface NamedAddresses {
  /** Addresses that the registry does not know (folded, sorted). */
  readonly unknown: readonly string[];
  /** How many unknown addresses the account has named today (UTC). */
  readonly namedToday: number;
}

export const noNamedAddresses: NamedAddresses = { unknown: [], namedToday: 0 };

/** A mark that an operator puts on an e-mail address. */
export type EmailMark = 'excluded' | 'undeliverable' | 'unsubscribed';

/** Marks by folded address; unmarked addresses are absent. */
export type EmailMarks = ReadonlyMap<string, ReadonlySet<EmailMark>>;

/** The form of an address in marks: bare, in lower case. */
export function foldEmail(value: string): string {
  return (bareEmail(value) ?? value).toLowerCase();
}

/** The e-mail addresses in an object, and their places. */
export function emailPlaces(object: RpslObject): ValuePlace[] {
  const names = new Set(object.attributes.map(({ name }) => name));
  return valuePlaces(object, ...[...names].filter((name) => attributeType(name)?.syntax === 'email'));
}
