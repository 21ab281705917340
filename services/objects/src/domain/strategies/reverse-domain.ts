import { hasAttribute, messages, type RpslObject } from '@cadastre/rpsl';
import { nearest } from '../governing.js';
import { addressesOf, size } from '../numbers.js';
import { askMaintainers, type MaintainerAttribute } from './candidates.js';
import type { Strategy } from './strategy.js';

/**
 * A new reverse domain stands under the network that its addresses are, or else the closest less specific one: its
 * `mnt-domains`, or when it has none, `mnt-lower` (of a less specific network), or when it has none, `mnt-by`.
 * ENUM domains stand for no addresses and are not asked about here.
 */
export const reverseDomain: Strategy = ({ object, key }, facts, principal) => {
  if (object.type !== 'domain' || addressesOf(object) === undefined) {
    return [];
  }
  const [network, ...more] = nearest(facts.governing, 'inetnum', 'inet6num');
  return network === undefined || more.length > 0
    ? [messages.authorisationFailed('domain', key.shown, 'domain', [])]
    : askMaintainers(network, decisiveAttribute(network, object), facts, principal);
};

function decisiveAttribute(network: RpslObject, domain: RpslObject): MaintainerAttribute {
  if (hasAttribute(network, 'mnt-domains')) {
    return 'mnt-domains';
  }
  return size(network) > size(domain) && hasAttribute(network, 'mnt-lower') ? 'mnt-lower' : 'mnt-by';
}
