import { messages } from '@cadastre/rpsl';
import { nearest } from '../governing.js';
import { askMaintainers, lowerAttribute } from './candidates.js';
import type { Strategy } from './strategy.js';

/**
 * A new inetnum or inet6num stands under `mnt-lower` of the closest less specific one, or `mnt-by` when it has none.
 * Without exactly one parent nobody is asked: rule G-RANGE-OVERLAP refuses it.
 */
export const addressParent: Strategy = ({ object }, facts, principal) => {
  if (object.type !== 'inetnum' && object.type !== 'inet6num') {
    return [];
  }
  const [parent, ...more] = nearest(facts.governing, object.type);
  if (parent === undefined || more.length > 0) {
    return [];
  }
  return askMaintainers(parent, lowerAttribute(parent), facts, principal, {
    refusal: messages.parentAuthorisationFailed,
  });
};
