import { isPerson } from './filter.js';
import { primaryKey } from './key.js';
import type { Attribute, RpslObject } from './object.js';
import { type AttributeName, attributeType, type ObjectTypeName } from './types.js';
import { cleanValue, firstValueOf } from './value.js';

/** Replaces each e-mail address: no one can ever have this one (RFC 2606). */
const placeholderEmail = 'unread@example.invalid';
const placeholderPhone = '+00 0000 0000';
/** No password has this hash. */
const placeholderAuth = 'MD5-PW $1$SaltSalt$DummifiedMD5HashValue.';
const placeholderText = 'Dummified';

const serverWritten: readonly AttributeName[] = ['created', 'last-modified', 'source'];

/** Types of which third parties get only these attributes. */
const shortened: { readonly [type in ObjectTypeName]?: ReadonlySet<string> } = {
  mntner: new Set(['mntner', 'admin-c', 'upd-to', 'auth', 'mnt-by', ...serverWritten]),
  organisation: new Set([
    ...['organisation', 'org-name', 'org-type', 'country', 'address', 'e-mail', 'abuse-c', 'mnt-ref', 'mnt-by'],
    ...serverWritten,
  ]),
};

/** Never for third parties: who is notified of changes, and what names a person. */
const dropped: ReadonlySet<string> = new Set<AttributeName>([
  'changed',
  'contact',
  'irt-nfy',
  'mnt-nfy',
  'notify',
  'owner',
  'ref-nfy',
]);

type Placeholder = (object: RpslObject) => string;

/** Replacement of the first value of these attributes; further ones are dropped. */
const placeholders: ReadonlyMap<string, Placeholder> = new Map<AttributeName, Placeholder>([
  ['abuse-mailbox', () => placeholderEmail],
  ['address', (object) => `Dummy address for ${keyOf(object)}`],
  ['admin-c', placeholderHandle],
  ['auth', () => `${placeholderAuth} # Real value hidden for security`],
  ['author', placeholderHandle],
  ['certif', () => placeholderText],
  ['descr', () => placeholderText],
  ['e-mail', () => placeholderEmail],
  ['fax-no', () => placeholderPhone],
  ['phone', () => placeholderPhone],
  ['ping-hdl', placeholderHandle],
  ['remarks', () => placeholderText],
  ['tech-c', placeholderHandle],
  ['upd-to', () => placeholderEmail],
  ['zone-c', placeholderHandle],
]);

const noTexts: ReadonlySet<string> = new Set();

/**
 * The object as third parties get it in mirrors and dumps: without password hashes, e-mail addresses, telephone
 * numbers, free texts, comments and unknown attributes; one placeholder (`placeholderPerson`) replaces contacts. It
 * still has all mandatory attributes of its type, and its copy is itself. Undefined for objects that third parties
 * never get: persons, and roles without abuse-mailbox. Attributes may have short names.
 * @param texts Free texts that it keeps, without e-mail addresses: `descr`, `remarks`, or `geofeed` for the remarks that
 * name one (RFC 9632).
 */
export function publicCopy(o: RpslObject, texts = noTexts): RpslObject | undefined {
  if (isPerson(o)) return undefined;
  const replaced = new Set<string>();
  const attributes: Attribute[] = [];
  for (const attribute of o.attributes) {
    const name = attributeType(attribute.name)?.name;
    if (name === undefined || dropped.has(name)) continue;
    const isText = isPublishedText(name, attribute, texts);
    if (!isText && shortened[o.type]?.has(name) === false) continue;
    const placeholder = isText ? undefined : placeholders.get(name);
    if (placeholder === undefined) attributes.push(withoutAsides({ name, raw: attribute.raw }));
    else if (!replaced.has(name)) {
      replaced.add(name);
      attributes.push({ name, raw: ` ${placeholder(o)}` });
    }
  }
  return { type: o.type, attributes };
}

function isPublishedText(name: string, { raw }: Attribute, texts: ReadonlySet<string>): boolean {
  if (name !== 'descr' && name !== 'remarks') return false;
  return texts.has(name) || (name === 'remarks' && texts.has('geofeed') && /^\s*geofeed\s/i.test(raw));
}

/** The person that replaces all contacts of a source, for followers whose references need a target. */
export function placeholderPerson(source: string): RpslObject {
  const handle = handleOf(source);
  const attributes: readonly (readonly [AttributeName, string])[] = [
    ['person', 'Placeholder Person'],
    ['address', `Dummy address for ${handle}`],
    ['phone', placeholderPhone],
    ['e-mail', placeholderEmail],
    ['nic-hdl', handle],
    ['mnt-by', 'DUMY-MNT'],
    ['remarks', 'Stands for all contacts of this source'],
    ['source', source],
  ];
  return { type: 'person', attributes: attributes.map(([name, value]) => ({ name, raw: ` ${value}` })) };
}

function placeholderHandle(o: RpslObject): string {
  return handleOf(firstValueOf(o, 'source') ?? '');
}

/** A handle ends with a word of letters, or has no suffix. */
function handleOf(source: string): string {
  const [word = ''] = source.toUpperCase().split('-');
  return /^[A-Z]{2,10}$/.test(word) ? `DUMY-${word}` : 'DUMY';
}

function keyOf(o: RpslObject): string {
  const key = primaryKey(o);
  return 'messages' in key ? o.type : key.shown;
}

const emailPattern = /[^\s@<>()[\],;:"']+@[^\s@<>()[\],;:"']+/g;

/** Without comments, and with a placeholder for each e-mail address: names of organisations may have one. */
function withoutAsides(a: Attribute): Attribute {
  const raw = a.raw.includes('#') ? ` ${cleanValue(a)}` : a.raw;
  return { name: a.name, raw: raw.includes('@') ? raw.replace(emailPattern, placeholderEmail) : raw };
}
