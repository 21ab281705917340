import { asciiLowerCase, attributeType, hasAttribute, listValues, type ObjectTypeName } from '@cadastre/rpsl';
import type { Contact, Redacted, Role } from './documents.js';
import { contactCard } from './jcard.js';
import { entityPath, selfLink } from './links.js';
import { memberPath, withheldCard, withheldEmail } from './redaction.js';
import type { Reference, Registry, Related, Requested, Stored } from './registry.js';

/** The types that RDAP calls entities. Of several objects with a handle, the entity is of the first type. */
export const entityTypes: readonly ObjectTypeName[] = ['organisation', 'person', 'role', 'mntner', 'irt'];

/** The role of the contacts that an attribute names. */
const roleOf: Readonly<Record<string, Role>> = Object.assign(Object.create(null), {
  'admin-c': 'administrative',
  'tech-c': 'technical',
  'zone-c': 'technical',
  org: 'registrant',
  'mnt-irt': 'abuse',
});

/** Maximum contacts of an object with data; further ones have only a handle and roles. */
const maxReferences = 100;

/** A value that names a contact. */
interface Named {
  readonly role: Role;
  /** As written. */
  readonly handle: string;
  readonly types: readonly ObjectTypeName[];
}

/**
 * The contacts that an object names, in its order. Mntners are registrants only of objects that name no organisation.
 */
function namedBy({ key, object }: Stored): Named[] {
  const own = asciiLowerCase(key);
  const holderAttribute = hasAttribute(object, 'org') ? 'org' : 'mnt-by';
  const named: Named[] = [];
  for (const attribute of object.attributes) {
    const role = attribute.name === holderAttribute ? 'registrant' : roleOf[attribute.name];
    if (role === undefined) continue;
    const types = attributeType(attribute.name)!.references;
    for (const handle of listValues(attribute)) {
      const isItself = asciiLowerCase(handle) === own && types.includes(object.type);
      if (handle !== '' && !isItself) named.push({ role, handle, types });
    }
  }
  return named;
}

/** The objects that the document of an object shows as its contacts: at most 100. Look them up for `Related`. */
export function referencedBy(stored: Stored): Reference[] {
  const references = new Map<string, Reference>();
  for (const { handle, types } of namedBy(stored)) {
    const key = asciiLowerCase(handle);
    references.set(`${types[0]} ${key}`, { types, key });
    if (references.size === maxReferences) break;
  }
  return [...references.values()];
}

/** The key of an object in `Related.objects`; `key` in any letter case. */
export function relatedKey(type: ObjectTypeName, key: string): string {
  return `${type} ${asciiLowerCase(key)}`;
}

/** The contact with a handle. */
interface Entry {
  handle: string;
  stored: Stored | undefined;
  readonly roles: Role[];
}

/**
 * The contacts of a document, ordered by handle, and what it withholds of them: of all their e-mail addresses, of some
 * everything but the handle.
 */
export function contactsOf(
  registry: Registry,
  requested: Requested,
  stored: Stored,
  related: Related,
): { readonly contacts: Contact[]; readonly redacted: Redacted[] } {
  const entries = new Map<string, Entry>();
  for (const { role, handle, types } of namedBy(stored)) {
    add(entries, role, handle, findRelated(related, types, handle));
  }
  if (related.abuse !== undefined) add(entries, 'abuse', related.abuse.key, related.abuse);
  const contacts: Contact[] = [];
  const redacted: Redacted[] = [];
  for (const [, { handle, roles, stored: found }] of [...entries].sort(byKey)) {
    if (found === undefined) {
      contacts.push({ objectClassName: 'entity', handle, roles });
      continue;
    }
    const links = [selfLink(registry, requested, entityPath(handle))];
    if (related.withheld?.has(found)) {
      contacts.push({ objectClassName: 'entity', handle, roles, links });
      redacted.push(withheldCard(memberPath('entities', handle)));
      continue;
    }
    const { vcardArray, withholdsEmail } = found.card ?? contactCard(found);
    contacts.push({ objectClassName: 'entity', handle, roles, vcardArray, links });
    if (withholdsEmail) redacted.push(withheldEmail(found, memberPath('entities', handle)));
  }
  return { contacts, redacted };
}

/** The object with a handle, of the first type that has one. */
export function findRelated(
  { objects }: Related,
  types: readonly ObjectTypeName[],
  handle: string,
): Stored | undefined {
  for (const type of types) {
    const found = objects.get(relatedKey(type, handle));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Merges the roles of one handle. Of several objects with it, the entity is of the first type in `entityTypes`. */
function add(entries: Map<string, Entry>, role: Role, handle: string, stored: Stored | undefined): void {
  const folded = asciiLowerCase(handle);
  const entry = entries.get(folded);
  if (entry === undefined) {
    entries.set(folded, { handle: stored?.key ?? handle, stored, roles: [role] });
    return;
  }
  if (!entry.roles.includes(role)) entry.roles.push(role);
  if (stored !== undefined && precedence(stored) < precedence(entry.stored)) {
    entry.handle = stored.key;
    entry.stored = stored;
  }
}

function precedence(stored: Stored | undefined): number {
  return stored === undefined ? entityTypes.length : entityTypes.indexOf(stored.object.type);
}

function byKey([a]: readonly [string, Entry], [b]: readonly [string, Entry]): number {
  return a < b ? -1 : 1;
}
