import { firstValueOf, hasAttribute, messages, type RpslObject, valuesOf } from '@cadastre/rpsl';
import type { Action } from '../change.js';
import { findContact, findKnown, findMntner } from '../known-objects.js';
import { emailPlaces, foldEmail, notifiedAttributes } from '../mail-address.js';
import { notifiedEmails } from '../notified-emails.js';
import { valuePlaces } from '../places.js';
import type { Rule } from './rule.js';

/** URLs of messengers and telephony that programs can open. */
const knownForms: readonly RegExp[] = [
  /^https?:\/\/wa\.me\/\+?\d+$/,
  /^https?:\/\/api\.whatsapp\.com\/send\?phone=\+?\d+$/,
  /^https?:\/\/signal\.me\/#p\/\+?\d{7,15}$/,
  /^sip:[^@\s]+@[^@\s:]+(?::\d+)?$/,
  /^https?:\/\/(?:t|telegram)\.me\/share\/url\?url=[^&]*&text=.*$/,
  /^tg:\/\/msg_url\?url=[^&]*&text=.*$/,
];

/** `contact` holds a URL of a known form. */
export const contactForm: Rule = {
  id: 'G-CONTACT',
  types: 'all',
  actions: ['create', 'modify'],
  check: ({ object }) =>
    valuePlaces(object, 'contact')
      .filter(({ value }) => !knownForms.some((form) => form.test(value)))
      .map((place) => messages.unknownContact(place.value, place)),
};

/** Warns when a contact has no `mnt-by` (legacy data). */
export const contactsMaintained: Rule = {
  id: 'G-CONTACT-MAINTAINED',
  types: 'all',
  actions: ['create', 'modify'],
  check: ({ object }, { after }) =>
    ['admin-c', 'tech-c']
      .flatMap((attribute) => valuesOf(object, attribute))
      .flatMap((handle) => findContact(after, handle) ?? [])
      .filter((contact) => !hasAttribute(contact, 'mnt-by'))
      .map((contact) => messages.contactUnmaintained(contact.type, firstValueOf(contact, 'nic-hdl')!)),
};

/** Warns when a contact of a maintainer has no `mnt-by` (legacy data). */
export const maintainerContacts: Rule = {
  id: 'G-MNTBY-CONTACTS',
  types: 'all',
  actions: ['create', 'modify'],
  check: ({ object }, { after }) =>
    valuesOf(object, 'mnt-by').flatMap((name) => {
      const mntner = findMntner(after, name);
      const handles =
        mntner === undefined ? [] : ['admin-c', 'tech-c'].flatMap((attribute) => valuesOf(mntner, attribute));
      return handles.flatMap((handle) => {
        const contact = findContact(after, handle);
        return contact === undefined || hasAttribute(contact, 'mnt-by')
          ? []
          : [
              messages.maintainerContactUnmaintained(
                contact.type,
                firstValueOf(contact, 'nic-hdl')!,
                firstValueOf(mntner!, 'mntner')!,
              ),
            ];
      });
    }),
};

/** A role cannot be its own contact. */
export const roleSelfReference: Rule = {
  id: 'G-ROLE-SELF',
  types: ['role'],
  actions: ['create', 'modify'],
  check: ({ object, key }) =>
    valuePlaces(object, 'admin-c', 'tech-c')
      .filter(({ value }) => value.toLowerCase() === key.folded)
      .map((place) => messages.selfReference(place)),
};

/** An object holds no e-mail address that the operator marked as excluded. */
export const emailExcluded: Rule = {
  id: 'G-EMAIL-EXCLUDED',
  types: 'all',
  actions: ['create', 'modify'],
  check: ({ object }, { emailMarks }) =>
    emailPlaces(object)
      .filter(({ value }) => emailMarks.get(foldEmail(value))?.has('excluded'))
      .map(({ value, attribute, index }) => messages.emailExcluded(value, { attribute, index })),
};

/** Warns when an address to notify of the change is undeliverable or unsubscribed. */
export const notifyUndeliverable: Rule = {
  id: 'G-NOTIFY-UNDELIVERABLE',
  types: 'all',
  actions: ['create', 'modify', 'delete'],
  isPrivate: true,
  check: (change, { after, before, emailMarks }) =>
    notifiedEmails(change, new Map([...after, ...before])).flatMap((address) => {
      const marks = emailMarks.get(address);
      if (marks?.has('undeliverable')) return [messages.notNotified(address, 'undeliverable')];
      return marks?.has('unsubscribed') ? [messages.notNotified(address, 'unsubscribe')] : [];
    }),
};

/** Maximum addresses of one object, and objects that name further ones. */
const maxNotified = 100;

/**
 * An object names at most 100 addresses and objects to notify of its changes. A state that names no more than the
 * stored one is allowed.
 */
export const notifiesFew: Rule = {
  id: 'G-NOTIFY-MANY',
  types: 'all',
  actions: ['create', 'modify'],
  check: ({ object, stored }) => {
    const count = notifiedCount(object);
    const isBounded = count <= maxNotified || (stored !== undefined && count <= notifiedCount(stored));
    return isBounded ? [] : [messages.notifiesTooMany(count, maxNotified)];
  },
};

function notifiedCount(object: RpslObject): number {
  const values = [...notifiedAttributes, 'mnt-by', 'org', 'mnt-irt'].flatMap((name) => {
    return valuesOf(object, name).map((value) => `${name} ${value.toLowerCase()}`);
  });
  return new Set(values).size;
}

/** `abuse-c` names a role that has an `abuse-mailbox`. */
export const abuseContactRole: Rule = {
  id: 'G-ABUSEC-ROLE',
  types: ['organisation', 'inetnum', 'inet6num', 'aut-num'],
  actions: ['create', 'modify'],
  check: ({ object }, { after }) =>
    valuesOf(object, 'abuse-c').flatMap((handle) => {
      const role = findKnown(after, ['role'], handle.toLowerCase());
      if (role !== undefined) {
        return hasAttribute(role, 'abuse-mailbox') ? [] : [messages.abuseRoleWithoutMailbox(handle, object.type)];
      }
      const person = findKnown(after, ['person'], handle.toLowerCase());
      return person === undefined ? [] : [messages.abuseContactIsPerson()];
    }),
};

/** Warns when a resource repeats the `abuse-c` that it inherits from an organisation. */
export const abuseContactRepeated: Rule = {
  id: 'G-ABUSEC-DUP',
  types: ['inetnum', 'inet6num', 'aut-num'],
  actions: ['create', 'modify'],
  check: ({ object }, { after, relatedRanges }) => {
    const own = firstValueOf(object, 'abuse-c');
    const organisations = [object, ...relatedRanges.enclosing]
      .flatMap((holder) => valuesOf(holder, 'org'))
      .flatMap((name) => findKnown(after, ['organisation'], name.toLowerCase()) ?? []);
    const inherited = organisations.find((organisation) => firstValueOf(organisation, 'abuse-c') !== undefined);
    return own !== undefined && inherited && firstValueOf(inherited, 'abuse-c')!.toLowerCase() === own.toLowerCase()
      ? [messages.abuseContactRepeated(own, firstValueOf(inherited, 'organisation')!)]
      : [];
  },
};

/** A role cannot lose its `abuse-mailbox` while an `abuse-c` refers to it. */
export const abuseMailboxStays: Rule = {
  id: 'G-ABUSEC-KEEP-MAILBOX',
  types: ['role'],
  actions: ['modify', 'delete'],
  check: ({ action, object, stored, key }, { referrers }) => {
    if (!dropsMailbox(action, stored, object)) return [];
    const users = referrers.filter((referrer) =>
      valuesOf(referrer, 'abuse-c').some((handle) => handle.toLowerCase() === key.folded),
    );
    const types = [...new Set(users.map((user) => user.type))];
    return types.map((type) => messages.abuseMailboxInUse(type, firstValueOf(object, 'role') ?? key.shown));
  },
};

/** Whether a change removes `abuse-mailbox`. */
export function dropsMailbox(action: Action, stored: RpslObject | undefined, object: RpslObject): boolean {
  const had = stored !== undefined && hasAttribute(stored, 'abuse-mailbox');
  return had && (action === 'delete' || !hasAttribute(object, 'abuse-mailbox'));
}

/** Informs that queries for a role with an `abuse-mailbox` have no limits. */
export const abuseRoleUnlimited: Rule = {
  id: 'G-ABUSEC-NOLIMIT',
  types: ['role'],
  actions: ['create', 'modify'],
  check: ({ object, stored }) => {
    const isNew = stored === undefined || !hasAttribute(stored, 'abuse-mailbox');
    return isNew && hasAttribute(object, 'abuse-mailbox') ? [messages.abuseRoleUnlimited()] : [];
  },
};
