import { type AddressRange, hasAttribute, type Message, messages, type RpslObject, valuesOf } from '@cadastre/rpsl';
import type { Facts } from '../facts.js';
import { nearest } from '../governing.js';
import { parseMntRoutes } from '../mnt-routes.js';
import { addressesOf, size } from '../numbers.js';
import type { Principal } from '../principal.js';
import { askMaintainers, type MaintainerAttribute } from './candidates.js';
import { isInPrefixRange } from './prefix-range.js';
import type { Strategy } from './strategy.js';

/**
 * A new route stands under the routes of its prefix, or else the closest less specific ones; when there are none at
 * all, under the network that its prefix is, or else the closest less specific one. When any of them has `mnt-routes`,
 * only that counts, where its list of prefixes has room for the new one; else `mnt-lower` of less specific ones; else
 * `mnt-by`. One of several routes is enough. Nobody asks the holder of the origin.
 */
export const routeSpace: Strategy = ({ object, key }, facts, principal) => {
  const prefix = addressesOf(object);
  if ((object.type !== 'route' && object.type !== 'route6') || prefix === undefined) {
    return [];
  }
  const routes = nearest(facts.governing, object.type);
  const asked = routes.length > 0 ? routes : nearest(facts.governing, 'inetnum', 'inet6num');
  if (asked.length === 0) {
    return [messages.authorisationFailed(object.type, key.shown, object.type, [])];
  }
  const { holders, attribute } = decisive(asked, object);
  return askAny(holders, attribute, prefix, facts, principal);
};

/** The attribute that decides, and those that have it. */
function decisive(
  asked: readonly RpslObject[],
  route: RpslObject,
): { holders: readonly RpslObject[]; attribute: MaintainerAttribute } {
  const routed = asked.filter((one) => hasAttribute(one, 'mnt-routes'));
  if (routed.length > 0) {
    return { holders: routed, attribute: 'mnt-routes' };
  }
  const lowered = asked.filter((one) => size(one) > size(route) && hasAttribute(one, 'mnt-lower'));
  return lowered.length > 0 ? { holders: lowered, attribute: 'mnt-lower' } : { holders: asked, attribute: 'mnt-by' };
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
