import { parseAsNumber } from '../as-number.js';
import type { Checker } from './checker.js';

const maxLength = 80;

/**
 * Hierarchical set name: components joined by colons, each an AS number or a name with the prefix, at least one such
 * name. A component must be longer than `shortest` characters.
 */
function setName(prefix: string, shortest = 0): Checker {
  const name = new RegExp(`^${prefix}-[A-Z0-9_-]*[A-Z0-9]$`, 'i');
  return (value) => {
    if (value.length > maxLength) return false;
    let named = false;
    for (const component of value.split(':')) {
      if (component.length <= shortest) return false;
      if (name.test(component)) named = true;
      else if (parseAsNumber(component) === undefined) return false;
    }
    return named;
  };
}

// Existing names follow this limit: AS0 to AS99 cannot be a component of a set with a four letter prefix.
const fourLetterPrefix = 4;

export const setSyntaxes = {
  'as-set': setName('as'),
  'route-set': setName('rs'),
  'filter-set': setName('fltr', fourLetterPrefix),
  'peering-set': setName('prng', fourLetterPrefix),
  'rtr-set': setName('rtrs', fourLetterPrefix),
} satisfies Record<string, Checker>;
