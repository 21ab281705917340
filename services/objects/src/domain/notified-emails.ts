import { domainToASCII } from 'node:url';
import { allOf, bareEmail, isEmail, listValues, type RpslObject, referencesOf, valuesOf } from '@cadastre/rpsl';
import { maintainedState } from './authorisation/strategy.js';
import type { Change, Prepared } from './change.js';
import { findKnown, findMntner, type KnownObjects } from './known-objects.js';
import { emailPlaces, foldEmail, isReachable } from './mail-address.js';

/** The parts of a change that determine its recipients. */
type NotifiedChange = Pick<Change, 'action' | 'object' | 'stored'>;

/** Why an address is notified of a change, in the order of a mail. */
export const sections = ['refused', 'changed', 'referenced'] as const;
export type Section = (typeof sections)[number];

/** An address to notify of a change, as in the object but without a display name. */
export interface Recipient {
  readonly address: string;
  readonly section: Section;
  /** False for a value that is not an address of a public domain; no mail can be sent to it. */
  readonly isAddress: boolean;
  /** Whether it is the first address that an object names: no bound omits it. */
  readonly isFirst: boolean;
}

/**
 * The addresses (folded, without duplicates) whose marks rules need: those in the new object, and those to notify.
 * `known` are the stored objects; addresses in objects that the same write changes belong to their own change.
 */
export function ruledEmails(change: Prepared, stored: RpslObject | undefined, known: KnownObjects): string[] {
  if (change.verb === 'delete') {
    return stored === undefined ? [] : notifiedEmails({ action: 'delete', object: stored, stored }, known);
  }
  const { object } = change;
  const action = change.verb === 'create' ? 'create' : 'modify';
  const own = emailPlaces(object).map(({ value }) => foldEmail(value));
  return [...new Set([...own, ...notifiedEmails({ action, object, stored }, known)])];
}

/** The addresses (folded, without duplicates) to notify of a change. */
export function notifiedEmails(change: NotifiedChange, known: KnownObjects): string[] {
  return [...new Set(groupsIn(change, known).flatMap(({ values }) => values.map(foldEmail)))];
}

/** Recipients of a change that was made; see `inTurns` for the order. */
export function recipientsOfChange(change: NotifiedChange, known: KnownObjects): Recipient[] {
  return inTurns(groupsIn(change, known));
}

/**
 * Recipients of a change that was refused for lack of authority: `upd-to` of the mntners whose consent the object
 * itself needs, also when others have refused.
 */
export function recipientsOfRefusal(change: NotifiedChange, known: KnownObjects): Recipient[] {
  const names = valuesOf(maintainedState(change), 'mnt-by');
  return inTurns(names.map((name) => ({ section: 'refused', values: emails(findMntner(known, name), 'upd-to') })));
}

/** Converts the domain of values that were stored before domains became punycode. */
function recipient(value: string, section: Section): Omit<Recipient, 'isFirst'> {
  const bare = bareEmail(value) ?? value;
  const address = isEmail(bare) ? bare : withAsciiDomain(bare);
  return { address, section, isAddress: isReachable(address) };
}

function withAsciiDomain(address: string): string {
  const [, local, domain = ''] = /^(.*@)([\p{L}\p{N}.-]+)$/u.exec(address) ?? [];
  return local === undefined ? address : local + (domainToASCII(domain) || domain);
}

/**
 * `notify` of the object and `mnt-nfy` of its mntners, in the state before; `ref-nfy` and `irt-nfy` of organisations and
 * irts in added or removed references; for a new route, `notify` of its origin aut-num.
 */
function groupsIn(change: NotifiedChange, known: KnownObjects): Group[] {
  const { action, object, stored } = change;
  const state = action === 'create' ? object : (stored ?? object);
  const changed = [
    valuesOf(state, 'notify'),
    ...valuesOf(state, 'mnt-by').map((name) => emails(findMntner(known, name), 'mnt-nfy')),
  ];
  const referenced = [
    ...partners(change, known, 'org').map((one) => emails(one, 'ref-nfy')),
    ...partners(change, known, 'mnt-irt').map((one) => emails(one, 'irt-nfy')),
    emails(action === 'create' ? originOf(object, known) : undefined, 'notify'),
  ];
  const withSection = (section: Section) => (values: readonly string[]) => ({ section, values });
  return [...changed.map(withSection('changed')), ...referenced.map(withSection('referenced'))];
}

/** The values of one object, as it names them. */
interface Group {
  readonly section: Section;
  readonly values: readonly string[];
}

/**
 * The first address of each group, then the second of each, and so on: no object that names addresses displaces another
 * one's. Values that are no addresses come last.
 */
function inTurns(groups: readonly Group[]): Recipient[] {
  const recipients = groups.map(({ section, values }) => {
    const all = values.map((value) => recipient(value, section));
    return [...all.filter(({ isAddress }) => isAddress), ...all.filter(({ isAddress }) => !isAddress)];
  });
  const longest = recipients.reduce((max, { length }) => Math.max(max, length), 0);
  return Array.from({ length: longest }, (_, turn) =>
    recipients.flatMap((group) => group.slice(turn, turn + 1).map((one) => ({ ...one, isFirst: turn === 0 }))),
  ).flat();
}

/** The origin aut-num of a route; undefined for other objects. */
function originOf(object: RpslObject, known: KnownObjects): RpslObject | undefined {
  const [origin] = object.type === 'route' || object.type === 'route6' ? valuesOf(object, 'origin') : [];
  return origin === undefined ? undefined : findKnown(known, ['aut-num'], origin.toLowerCase());
}

/** The targets of an attribute either before or after the change, but not both. */
function partners({ action, object, stored }: NotifiedChange, known: KnownObjects, attribute: string): RpslObject[] {
  const before = named(stored, attribute);
  const after = action === 'delete' ? new Set<string>() : named(object, attribute);
  const types = attribute === 'org' ? (['organisation'] as const) : (['irt'] as const);
  const changed = [...new Set([...before, ...after])].filter((key) => before.has(key) !== after.has(key));
  return changed.flatMap((key) => findKnown(known, types, key) ?? []);
}

function named(object: RpslObject | undefined, attribute: string): Set<string> {
  const references = object === undefined ? [] : referencesOf(object);
  return new Set(references.filter((one) => one.attribute === attribute).map(({ key }) => key));
}

function emails(object: RpslObject | undefined, attribute: string): string[] {
  return object === undefined ? [] : allOf(object, attribute).flatMap(listValues);
}
