import { asciiUpperCase } from './letter-case.js';
import { type Attribute, firstOf, hasAttribute, type RpslObject } from './object.js';
import { cleanComment, cleanValue } from './value.js';

export interface FilterOptions {
  /** Include e-mail addresses and notification attributes. */
  readonly unfiltered?: boolean;
  /** Show `auth`: only for a caller who proved to be this maintainer (decision R3). */
  readonly showAuth?: boolean;
}

/** Removed from a filtered object (decision R1). */
const mailAttributes: ReadonlySet<string> = new Set(['e-mail', 'notify', 'ref-nfy', 'mnt-nfy', 'upd-to', 'changed']);

/**
 * Also removed from versions, as in the RIPE Database: past contacts and addresses are private. Other attributes of
 * persons (`phone`, `fax-no`) appear in versions as in lookups.
 */
const personalAttributes: ReadonlySet<string> = new Set([
  'address',
  'admin-c',
  'author',
  'contact',
  'ping-hdl',
  'tech-c',
  'zone-c',
]);

const filteredMark = 'Filtered';

/** The object in lookups and searches (decisions R1, R2), always without `changed`. */
export function filterObject(o: RpslObject, options: FilterOptions = {}): RpslObject {
  return without(
    o,
    (name) =>
      (name === 'auth' && options.showAuth !== true) || (options.unfiltered !== true && mailAttributes.has(name)),
  );
}

/** A version of an object, the same for all readers: never more than `filterObject` shows. */
export function filterVersion(o: RpslObject): RpslObject {
  return without(o, isHiddenFromVersions);
}

/** Whether versions never show an attribute. */
export function isHiddenFromVersions(name: string): boolean {
  return name === 'auth' || mailAttributes.has(name) || personalAttributes.has(name);
}

/** The object in mails about its changes: everything but the values of `auth`, and `changed`. */
export function maskObject(o: RpslObject): RpslObject {
  const remaining = o.attributes.filter(({ name }) => name !== 'changed');
  return { type: o.type, attributes: remaining.map((a) => (a.name === 'auth' ? masked(a) : a)) };
}

/** Shows only the kind of the credential: `SSO # Filtered`, `MD5-PW # Filtered`, `PGPKEY # Filtered`. */
function masked(a: Attribute): Attribute {
  const [kind = ''] = /^(?:PGPKEY|X509)(?=-)|^\S+/i.exec(cleanValue(a)) ?? [];
  return { name: a.name, raw: ` ${kind.toUpperCase()} # ${filteredMark}` };
}

/**
 * Whether an object is about a person: a person, or a role without abuse-mailbox, of the main source, not of a copy of
 * another registry. Such objects count against a limit (decision R16), and only requests for them return them.
 */
export function isPersonal(
  { type, source, text }: { readonly type: string; readonly source: string; readonly text: string },
  main: string,
): boolean {
  if (type !== 'person' && type !== 'role') return false;
  return asciiUpperCase(source) === asciiUpperCase(main) && !(type === 'role' && /^abuse-mailbox:/im.test(text));
}

/** Whether a parsed object of the main source is a person, or a role without abuse-mailbox (`isPersonal`). */
export function isPerson(o: RpslObject): boolean {
  return o.type === 'person' || (o.type === 'role' && !hasAttribute(o, 'abuse-mailbox'));
}

/** Whether the object is filtered output, which must not be stored. */
export function isFiltered(o: RpslObject): boolean {
  const source = firstOf(o, 'source');
  const comment = source && cleanComment(source);
  return comment?.toLowerCase().startsWith(filteredMark.toLowerCase()) === true;
}

/** Removes hidden attributes, marks `source` if there were any, and always removes `changed`. */
function without(o: RpslObject, isHidden: (name: string) => boolean): RpslObject {
  if (!o.attributes.some((a) => a.name === 'changed' || isHidden(a.name))) return o;
  const shown = o.attributes.filter((a) => !isHidden(a.name));
  const removed = shown.length < o.attributes.length;
  const attributes = shown.filter((a) => a.name !== 'changed').map((a) => (removed ? marked(a) : a));
  return { type: o.type, attributes };
}

function marked(a: Attribute): Attribute {
  return a.name === 'source' ? { name: a.name, raw: ` ${cleanValue(a)} # ${filteredMark}` } : a;
}
