import { type RoaIndex, validityOf } from '@cadastre/roa';
import { wordsEach } from './prefix-list.js';
import { rangeAt } from './prefix-words.js';
import type { IsInvalid } from './source-index.js';

/** Compares routes with the current payloads; without payloads, no route is invalid. */
export function invalidBy(payloads: () => RoaIndex | undefined): IsInvalid {
  return (origin, family, prefix) => {
    const known = payloads();
    if (known === undefined) return false;
    const length = prefix[wordsEach(family) - 1]!;
    const { first } = rangeAt(prefix, 0, family);
    return validityOf({ length, origin }, known.covering({ family, first, length })) === 'invalid';
  };
}
