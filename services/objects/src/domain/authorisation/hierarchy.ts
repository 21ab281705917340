import { type AddressRange, hasAttribute, type Message, messages, type RpslObject, valuesOf } from '@cadastre/rpsl';
import type { Principal } from '../authenticate.js';
import type { Facts } from '../facts.js';
import { nearest, setParent } from '../governing.js';
import { findKnown } from '../known-objects.js';
import { isInPrefixRange, parseMntRoutes } from '../mnt-routes.js';
import { addressesOf, size } from '../numbers.js';
import { askMaintainers, lowerAttribute, type MaintainerAttribute, type Strategy } from './strategy.js';

/**
 * A new inetnum or inet6num needs `mnt-lower` of the closest less specific one, or its `mnt-by` without that. Without
 * exactly one parent this checks nothing: rule G-RANGE-OVERLAP refuses the object.
 */
export const addressParent: Strategy = ({ object }, facts, principal) => {
  if (object.type !== 'inetnum' && object.type !== 'inet6num') return [];
  const [parent, ...more] = nearest(facts.governing, object.type);
  if (parent === undefined || more.length > 0) return [];
  return askMaintainers(parent, lowerAttribute(parent), facts, principal, {
    refusal: messages.parentAuthorisationFailed,
  });
};

/** A new aut-num needs `mnt-lower` of the as-block that contains its number, or its `mnt-by` without that. */
export const enclosingAsBlock: Strategy = ({ object, key }, facts, principal) => {
  if (object.type !== 'aut-num') return [];
  const [block] = nearest(facts.governing, 'as-block');
  return block === undefined
    ? [messages.noParentAsBlock(key.shown)]
    : askMaintainers(block, lowerAttribute(block), facts, principal);
};

/**
 * A new reverse domain needs a maintainer of the network with its addresses, else of the closest less specific one. The
 * first of these attributes that the network has decides: `mnt-domains`, `mnt-lower` (less specific only), `mnt-by`.
 * ENUM domains have no addresses and are not checked here.
 */
export const reverseDomain: Strategy = ({ object, key }, facts, principal) => {
  if (object.type !== 'domain' || addressesOf(object) === undefined) return [];
  const [network, ...more] = nearest(facts.governing, 'inetnum', 'inet6num');
  return network === undefined || more.length > 0
    ? [messages.authorisationFailed('domain', key.shown, 'domain', [])]
    : askMaintainers(network, decisiveAttribute(network, object), facts, principal);
};

function decisiveAttribute(network: RpslObject, domain: RpslObject): MaintainerAttribute {
  if (hasAttribute(network, 'mnt-domains')) return 'mnt-domains';
  return size(network) > size(domain) && hasAttribute(network, 'mnt-lower') ? 'mnt-lower' : 'mnt-by';
}

/**
 * A new route needs a maintainer of a route with its prefix, else of the closest less specific routes; without any, of
 * the network with its prefix, else of the closest less specific one. If any of these has `mnt-routes`, only those with
 * it count, and only where its list of prefixes covers the new one; else `mnt-lower` of less specific ones; else
 * `mnt-by`. One of several routes is enough. The holder of the origin need not consent.
 */
export const routeSpace: Strategy = ({ object, key }, facts, principal) => {
  const prefix = addressesOf(object);
  if ((object.type !== 'route' && object.type !== 'route6') || prefix === undefined) return [];
  const routes = nearest(facts.governing, object.type);
  const requested = routes.length > 0 ? routes : nearest(facts.governing, 'inetnum', 'inet6num');
  if (requested.length === 0) return [messages.authorisationFailed(object.type, key.shown, object.type, [])];
  const { holders, attribute } = decisive(requested, object);
  return askAny(holders, attribute, prefix, facts, principal);
};

/** The attribute that decides, and the objects that have it. */
function decisive(
  requested: readonly RpslObject[],
  route: RpslObject,
): { holders: readonly RpslObject[]; attribute: MaintainerAttribute } {
  const routed = requested.filter((one) => hasAttribute(one, 'mnt-routes'));
  if (routed.length > 0) return { holders: routed, attribute: 'mnt-routes' };
  const lowered = requested.filter((one) => size(one) > size(route) && hasAttribute(one, 'mnt-lower'));
  return lowered.length > 0
    ? { holders: lowered, attribute: 'mnt-lower' }
    : { holders: requested, attribute: 'mnt-by' };
}

function askAny(
  holders: readonly RpslObject[],
  attribute: MaintainerAttribute,
  prefix: AddressRange,
  facts: Facts,
  principal: Principal | undefined,
): Message[] {
  const refusals = holders.map((holder) => {
    const values = valuesOf(holder, attribute).filter((value) => attribute !== 'mnt-routes' || covers(value, prefix));
    return askMaintainers(holder, attribute, facts, principal, { values });
  });
  return refusals.some((refusal) => refusal.length === 0) ? [] : refusals.flat();
}

function covers(mntRoutes: string, prefix: AddressRange): boolean {
  const { ranges } = parseMntRoutes(mntRoutes);
  return ranges.length === 0 || ranges.some((range) => isInPrefixRange(prefix, range));
}

/**
 * A new hierarchical set needs `mnt-lower` of its parent, or the parent's `mnt-by` without that. The refusal is one for
 * missing authority (decision W5). Rule G-SET-PARENT refuses a set without a parent.
 */
export const parentOfSet: Strategy = (change, facts, principal) => {
  const above = setParent(change.object.type, change.key.shown);
  const parent =
    above && (findKnown(facts.before, [above.type], above.key) ?? findKnown(facts.after, [above.type], above.key));
  if (above === undefined || parent === undefined) return [];
  return askMaintainers(parent, lowerAttribute(parent), facts, principal, {
    refusal: (type, _key, attribute, candidates) =>
      messages.parentAuthorisationFailed(type, above.shown, attribute, candidates),
  });
};
