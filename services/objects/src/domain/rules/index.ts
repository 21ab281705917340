import type { Message } from '@cadastre/rpsl';
import type { Change } from '../change.js';
import type { Facts } from '../facts.js';
import type { Policy } from '../policy.js';
import { abuseContactRepeated } from './abuse-contact-repeated.js';
import { abuseContactRole } from './abuse-contact-role.js';
import { abuseMailboxKept } from './abuse-mailbox-kept.js';
import { abuseRoleUnlimited } from './abuse-role-unlimited.js';
import { asBlockOverlap } from './as-block-overlap.js';
import { bogon } from './bogon.js';
import { contactForm } from './contact-form.js';
import { contactsMaintained } from './contacts-maintained.js';
import { country } from './country.js';
import { deletionMismatch } from './deletion-mismatch.js';
import { domainOverlap } from './domain-overlap.js';
import { domainUnique } from './domain-unique.js';
import { emailExcluded } from './email-excluded.js';
import { exists } from './exists.js';
import { geofeedRemark } from './geofeed-remark.js';
import { keyCertNameFits } from './key-cert-name.js';
import { pgpKeyQuality, x509Quality } from './key-cert-quality.js';
import { language } from './language.js';
import { maintainerContacts } from './maintainer-contacts.js';
import { maintainersExist } from './maintainers-exist.js';
import { memberOf } from './member-of.js';
import { membersByReferenceChanged } from './members-by-reference-changed.js';
import { mntRoutesAny } from './mnt-routes-any.js';
import { mntRoutesRange } from './mnt-routes-range.js';
import { nameServerGlue } from './name-server-glue.js';
import { noPasswords } from './no-passwords.js';
import { notifyUndeliverable } from './notify-undeliverable.js';
import { orgNameFormat } from './org-name-format.js';
import { inet6numSize } from './prefix-size.js';
import { rangeOverlap } from './range-overlap.js';
import { referenced } from './referenced.js';
import { referencesExist } from './references-exist.js';
import { reservedName } from './reserved-name.js';
import { reservedOrigin } from './reserved-origin.js';
import { reservedPrefix } from './reserved-prefix.js';
import { roleSelfReference } from './role-self-reference.js';
import { routeHoles, routePingable } from './route-addresses.js';
import type { Rule } from './rule.js';
import { setMembersLeft } from './set-members-left.js';
import { setOneOf } from './set-one-of.js';
import { setParentExists } from './set-parent.js';
import { sourceComment } from './source-comment.js';
import { sourceKnown } from './source-known.js';
import { inet6numStatusChange, inetnumStatusChange, inetnumSwitch } from './status-change.js';
import { inetnumDeletion } from './status-deletion.js';
import { inet6numHierarchy, inetnumHierarchy } from './status-hierarchy.js';

/** All rules in the order in which they are asked; every one is, whatever the others say. */
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
  abuseMailboxKept, // G-ABUSEC-KEEP-MAILBOX
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

/** What a rule said. */
export interface Finding {
  readonly rule: string;
  readonly message: Message;
}

/** What the rules say about a change, in their order, to somebody who may make it or not. */
export function applyRules(change: Change, facts: Facts, policy: Policy, isAuthorised = true): Finding[] {
  return rules
    .filter(
      (rule) =>
        (isAuthorised || !rule.isPrivate) &&
        rule.actions.includes(change.action) &&
        (rule.profile === undefined || rule.profile === policy.profile) &&
        (rule.types === 'all' || rule.types.includes(change.object.type)),
    )
    .flatMap((rule) => rule.check(change, facts, policy).map((message) => ({ rule: rule.id, message })));
}
