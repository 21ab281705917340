import { rangeOf } from '@cadastre/rpsl';
import type { Autnum } from './documents.js';
import { autnumPath, documentLinks } from './links.js';
import { statusOf } from './policy.js';
import { withheldValues } from './redaction.js';
import type { Nested, Registry, Related, Requested, Stored } from './registry.js';
import { sharedMembers } from './shared-members.js';
import { filledValues } from './values.js';

/** The number of an `aut-num`. */
function asNumber({ object }: Stored): number | undefined {
  const range = object.type === 'aut-num' ? rangeOf(object) : undefined;
  return range !== undefined && 'as' in range ? range.as.first : undefined;
}

/** The document of an `aut-num`; `undefined` for other types, and for an invalid key. */
export function autnum(
  registry: Registry,
  requested: Requested,
  stored: Stored,
  { related }: { readonly related?: Related } = {},
): Nested<Autnum> | undefined {
  const number = asNumber(stored);
  if (number === undefined) return undefined;
  const shared = sharedMembers(registry, requested, stored, related);
  const [name] = filledValues(stored, 'as-name');
  const [country] = filledValues(stored, 'country');
  return {
    ...shared,
    document: {
      objectClassName: 'autnum',
      handle: stored.key,
      startAutnum: number,
      endAutnum: number,
      ...(name !== undefined && { name: name.replaceAll(' ', '') }),
      ...(country !== undefined && { country }),
      status: [statusOf(registry.policy, { as: { first: number, last: number } })],
      ...shared.document,
      links: documentLinks(registry, requested, stored, autnumPath(number)),
    },
    redacted: [...shared.redacted, ...withheldValues(stored, 'country', 'country')],
  };
}
