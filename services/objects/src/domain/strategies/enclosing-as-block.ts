import { messages } from '@cadastre/rpsl';
import { nearest } from '../governing.js';
import { askMaintainers, lowerAttribute } from './candidates.js';
import type { Strategy } from './strategy.js';

/** A new aut-num stands under `mnt-lower` of the as-block that contains its number, or `mnt-by` when it has none. */
export const enclosingAsBlock: Strategy = ({ object, key }, facts, principal) => {
  if (object.type !== 'aut-num') {
    return [];
  }
  const [block] = nearest(facts.governing, 'as-block');
  return block === undefined
    ? [messages.noParentAsBlock(key.shown)]
    : askMaintainers(block, lowerAttribute(block), facts, principal);
};
