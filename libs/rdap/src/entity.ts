import type { ObjectTypeName } from '@cadastre/rpsl';
import { autnum } from './autnum.js';
import { entityTypes, findRelated } from './contacts.js';
import type { Entity } from './documents.js';
import { jcardOf, ownEmails } from './jcard.js';
import { documentLinks, entityPath } from './links.js';
import { ipNetwork } from './network.js';
import { cutResourcesNotice, namesakesNotice } from './notices.js';
import { memberPath, nestedPaths, withheldEmail } from './redaction.js';
import type { Nested, Registry, Related, Requested, Stored } from './registry.js';
import { sharedMembers } from './shared-members.js';
import { filledValues } from './values.js';

/** What the document of an entity contains in addition to its object. */
export interface EntityParts {
  /** Without it the document has no `entities`. */
  readonly related?: Related;
  /** Shows its e-mail addresses: only in the answer to a lookup of this entity. */
  readonly showEmail?: boolean;
  /** Organisations: their outermost networks, and their AS numbers. */
  readonly networks?: readonly Stored[];
  readonly autnums?: readonly Stored[];
  /** Organisations: whether there are more networks or AS numbers than these. */
  readonly cut?: boolean;
  /** Other types that have an object with this key. */
  readonly namesakes?: readonly ObjectTypeName[];
}

/** The document of a person, role, organisation, mntner or irt; `undefined` for other types. */
export function entity(
  registry: Registry,
  requested: Requested,
  stored: Stored,
  { related, showEmail = false, networks = [], autnums = [], cut = false, namesakes = [] }: EntityParts = {},
): Nested<Entity> | undefined {
  if (!entityTypes.includes(stored.object.type)) return undefined;
  const shared = sharedMembers(registry, requested, stored, related);
  const ownNetworks = networks.flatMap((network) => ipNetwork(registry, requested, network) ?? []);
  const ownAutnums = autnums.flatMap((number) => autnum(registry, requested, number) ?? []);
  const withheld = !showEmail && ownEmails(stored).length > 0;
  return {
    document: {
      objectClassName: 'entity',
      handle: stored.key,
      vcardArray: jcardOf(stored, { email: showEmail, organisation: organisationOf(stored, related) }),
      ...shared.document,
      ...(ownNetworks.length > 0 && { networks: ownNetworks.map(({ document }) => document) }),
      ...(ownAutnums.length > 0 && { autnums: ownAutnums.map(({ document }) => document) }),
      links: documentLinks(registry, requested, stored, entityPath(stored.key)),
    },
    redacted: [
      ...(withheld ? [withheldEmail(stored, '$')] : []),
      ...shared.redacted,
      ...ownNetworks.flatMap((one) => nestedPaths(one.redacted, memberPath('networks', one.document.handle))),
      ...ownAutnums.flatMap((one) => nestedPaths(one.redacted, memberPath('autnums', one.document.handle))),
    ],
    filtered: shared.filtered || withheld,
    sources: shared.sources,
    notices: [
      ...(cut ? [cutResourcesNotice(ownNetworks.length, ownAutnums.length)] : []),
      ...(namesakes.length > 0 ? [namesakesNotice(namesakes)] : []),
    ],
  };
}

/** The organisation that an entity belongs to, or is. */
function organisationOf(stored: Stored, related: Related | undefined): Stored | undefined {
  const [org] = filledValues(stored, 'org');
  if (stored.object.type === 'organisation' || org === undefined || related === undefined) return undefined;
  return findRelated(related, ['organisation'], org);
}
