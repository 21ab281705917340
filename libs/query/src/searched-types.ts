import { isWholeSpace, type ObjectTypeName, objectTypeNames } from '@cadastre/rpsl';
import { acceptsKey } from './accepted-types.js';
import type { Flag } from './flags.js';
import type { SearchKey } from './search-key.js';

type Types = ReadonlySet<ObjectTypeName>;

/** Flags, with the types to which each restricts a search. */
const restrictions: readonly { readonly flag: Flag; readonly leaves: (type: ObjectTypeName) => boolean }[] = [
  { flag: 'resource', leaves: isOneOf('aut-num', 'inetnum', 'inet6num', 'route', 'route6', 'domain') },
  { flag: 'no-personal', leaves: (type) => type !== 'person' && type !== 'role' },
  { flag: 'abuse-contact', leaves: isOneOf('inetnum', 'inet6num', 'aut-num') },
];

const isReverseType = isOneOf('inetnum', 'inet6num', 'route', 'route6', 'domain');

/** The types to search, in the order of results (queries.md 2.2). An empty set means all. */
export function candidateTypes(requested: Types, flags: ReadonlySet<Flag>): ObjectTypeName[] {
  const isSearched = (type: ObjectTypeName) => {
    if (requested.size > 0) return requested.has(type);
    return !flags.has('reverse-domain') || isReverseType(type);
  };
  const given = restrictions.filter(({ flag }) => flags.has(flag));
  return objectTypeNames.filter((type) => isSearched(type) && given.every(({ leaves }) => leaves(type)));
}

/** Filters the types by the form of the key. With `-d` a reverse domain also means its addresses. */
export function acceptingTypes(
  types: readonly ObjectTypeName[],
  key: SearchKey,
  flags: ReadonlySet<Flag>,
): ObjectTypeName[] {
  const isZone = key.kind === 'reverse-domain' && flags.has('reverse-domain');
  return types.filter((type) => acceptsKey(type, key) || (isZone && isReverseType(type)));
}

/** Whether a query requests everything inside 0.0.0.0/0 or ::/0. */
export function isTooWide(key: SearchKey, flags: ReadonlySet<Flag>): boolean {
  if (key.kind === 'text' || !(flags.has('one-more') || flags.has('all-more'))) return false;
  const { space, first, last } = key.range;
  return isWholeSpace({ family: space === 'ipv4' ? 4 : 6, first, last });
}

function isOneOf(...types: ObjectTypeName[]): (type: ObjectTypeName) => boolean {
  const set: Types = new Set(types);
  return (type) => set.has(type);
}
