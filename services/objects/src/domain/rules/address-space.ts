import {
  contains,
  firstValueOf,
  hasAttribute,
  messages,
  prefixLength,
  type RpslObject,
  valuesOf,
} from '@cadastre/rpsl';
import { addressesOf, isRootNetwork } from '../numbers.js';
import type { Rule } from './rule.js';

/** Address ranges form a tree: a new one has exactly one parent and overlaps no other in part. */
export const rangeOverlap: Rule = {
  id: 'G-RANGE-OVERLAP',
  types: ['inetnum', 'inet6num'],
  actions: ['create'],
  check: ({ object, key }, { relatedRanges }) => {
    if (!isRootNetwork(object) && parents(relatedRanges.enclosing).length !== 1) {
      return [messages.oneParentNeeded(key.shown)];
    }
    return relatedRanges.overlapping
      .slice(0, 1)
      .map((other) => messages.rangeOverlaps(firstValueOf(other, other.type)!));
  },
};

/** The enclosing objects that enclose no other of them. */
function parents(enclosing: readonly RpslObject[]): readonly RpslObject[] {
  return enclosing.filter((outer) => {
    const range = addressesOf(outer)!;
    return !enclosing.some((inner) => inner !== outer && contains(range, addressesOf(inner)!));
  });
}

/** As-blocks do not overlap. */
export const asBlockOverlap: Rule = {
  id: 'G-ASBLOCK-OVERLAP',
  types: ['as-block'],
  actions: ['create'],
  check: (_change, { relatedRanges }) => [
    ...relatedRanges.enclosing.map(messages.asBlockParentExists),
    ...relatedRanges.contained.map(messages.asBlockChildExists),
    ...relatedRanges.overlapping.map(messages.asBlockOverlaps),
  ],
};

/** `remarks` does not repeat `geofeed` or `prefixlen`; it held them before these attributes existed. */
export const geofeedRemark: Rule = {
  id: 'G-GEOFEED-REMARK',
  types: ['inetnum', 'inet6num'],
  actions: ['create', 'modify'],
  check: ({ object }) => {
    const remarks = valuesOf(object, 'remarks').map((value) => value.toLowerCase());
    return ['geofeed', 'prefixlen']
      .filter((name) => hasAttribute(object, name) && remarks.some((remark) => remark.startsWith(`${name}:`)))
      .map((name) => messages.geofeedRemark(name));
  },
};

const maxPrefixLength = 64;

/** An inet6num has a prefix of at most 64 bits. */
export const inet6numSize: Rule = {
  id: 'P-INET6-SIZE',
  types: ['inet6num'],
  actions: ['create'],
  profile: 'rir',
  check: ({ object }) => {
    const range = addressesOf(object);
    const length = range && prefixLength(range);
    if (length === undefined || length <= maxPrefixLength) return [];
    return [{ severity: 'error', text: 'Minimum prefix size is %s', args: [String(maxPrefixLength)] }];
  },
};
