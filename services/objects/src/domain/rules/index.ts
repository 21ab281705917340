import type { Message } from '@cadastre/rpsl';
import type { Change } from '../change.js';
import type { Facts } from '../facts.js';
import type { Policy } from '../policy.js';
import { asBlockOverlap, geofeedRemark, inet6numSize, rangeOverlap } from './address-space.js';
import {
  abuseContactRepeated,
  abuseContactRole,
  abuseMailboxStays,
  abuseRoleUnlimited,
  contactForm,
  contactsMaintained,
  emailExcluded,
  maintainerContacts,
  notifiesFew,
  notifyUndeliverable,
  roleSelfReference,
} from './contacts.js';
import { keyCertNameFits, noPasswords, pgpKeyQuality, x509Quality } from './credentials.js';
import { domainOverlap, domainUnique, nameServerGlue } from './domains.js';
import { deletionMismatch, exists, maintainersExist, referenced, referencesExist } from './existence.js';
import {
  country,
  language,
  orgNameFormat,
  reservedName,
  reservedPrefix,
  sourceComment,
  sourceKnown,
} from './names-and-values.js';
import { bogon, mntRoutesAny, mntRoutesRange, reservedOrigin, routeHoles, routePingable } from './routing.js';
import type { Rule } from './rule.js';
import { memberOf, membersByReferenceChanged, setMembersLeft, setOneOf, setParentExists } from './sets.js';
import {
  inet6numHierarchy,
  inet6numStatusChange,
  inetnumDeletion,
  inetnumHierarchy,
  inetnumStatusChange,
  inetnumSwitch,
} from './statuses.js';

/** All rules in order. Every rule runs, whatever the others return. */
export const rules: readonly Rule[] = [
  asBlockOverlap, // G-ASBLOCK-OVERLAP
  exists, // G-EXISTS
  deletionMismatch, // G-DELETE-MISMATCH
  referenced, // G-REFERENCED
  setMembersLeft, // G-SET-MEMBERS-LEFT
  referencesExist, // G-REF-EXISTS
  maintainersExist, // G-MNTBY-EXISTS
  maintainerContacts, // G-MNTBY-CONTACTS
  contactsMaintained, // G-CONTACT-MAINTAINED
  reservedName, // G-RESERVED
  reservedPrefix, // G-RESERVED-PREFIX
  sourceKnown, // G-SOURCE
  sourceComment, // G-SOURCE-COMMENT
  country, // G-COUNTRY
  language, // G-LANGUAGE
  contactForm, // G-CONTACT
  emailExcluded, // G-EMAIL-EXCLUDED
  notifyUndeliverable, // G-NOTIFY-UNDELIVERABLE
  notifiesFew, // G-NOTIFY-MANY
  memberOf, // G-MEMBEROF
  membersByReferenceChanged, // G-MBRSBYREF-CHANGED
  mntRoutesAny, // G-MNTROUTES-ANY
  mntRoutesRange, // G-MNTROUTES-RANGE
  rangeOverlap, // G-RANGE-OVERLAP
  geofeedRemark, // G-GEOFEED-REMARK
  abuseContactRole, // G-ABUSEC-ROLE
  abuseContactRepeated, // G-ABUSEC-DUP
  domainUnique, // G-DOMAIN-UNIQUE
  domainOverlap, // G-DOMAIN-OVERLAP
  nameServerGlue, // G-NSERVER-GLUE
  noPasswords, // G-NO-MD5
  orgNameFormat, // G-ORGNAME-FORMAT
  roleSelfReference, // G-ROLE-SELF
  abuseMailboxStays, // G-ABUSEC-KEEP-MAILBOX
  abuseRoleUnlimited, // G-ABUSEC-NOLIMIT
  bogon, // G-BOGON
  reservedOrigin, // G-ORIGIN-RESERVED
  routeHoles, // G-ROUTE-HOLES
  routePingable, // G-ROUTE-PINGABLE
  setOneOf, // G-SET-ONE-OF
  setParentExists, // G-SET-PARENT
  keyCertNameFits, // G-KEYCERT-NAME
  pgpKeyQuality, // G-KEYCERT-PGP
  x509Quality, // G-KEYCERT-X509
  inetnumHierarchy, // P-INET-HIER
  inetnumStatusChange, // P-INET-CHANGE
  inetnumSwitch, // P-INET-SWITCH
  inetnumDeletion, // P-INET-DELETE
  inet6numHierarchy, // P-INET6-HIER
  inet6numStatusChange, // P-INET6-CHANGE
  inet6numSize, // P-INET6-SIZE
];

/** Maximum number of messages of one rule; more than a reply shows. */
const maxFindings = 500;

/** One message of one rule. */
export interface Finding {
  readonly rule: string;
  readonly message: Message;
}

/** What the early rules say about a new object. */
export function earlyMessages(change: Change, facts: Facts, policy: Policy): Message[] {
  return rules
    .filter(({ isEarly }) => isEarly)
    .flatMap((rule) => rule.check(change, facts, policy).slice(0, maxFindings));
}

/** Applies all rules for a change, in order. Without authority, private rules do not run. */
export function applyRules(change: Change, facts: Facts, policy: Policy, isAuthorised = true): Finding[] {
  return rules
    .filter(
      (rule) =>
        (isAuthorised || !rule.isPrivate) &&
        rule.actions.includes(change.action) &&
        (rule.profile === undefined || rule.profile === policy.profile) &&
        (rule.types === 'all' || rule.types.includes(change.object.type)),
    )
    .flatMap((rule) => {
      const said = rule.check(change, facts, policy).slice(0, maxFindings);
      return said.map((message) => ({ rule: rule.id, message }));
    });
}
