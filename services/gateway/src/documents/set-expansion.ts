import { DescribeSetResponse } from '@cadastre/proto/whois';
import { count, list, object, ref, type Schema, text, truth } from '@cadastre/rdap/schema';
import { joinSetParts } from '@cadastre/rpsl';

/** The document of an expansion. */
export const setExpansionSchemas: Readonly<Record<string, Schema>> = {
  SetExpansion: object(
    'The content of a set.',
    {
      sets: list(ref('ExpandedSet'), { description: 'The set, and the sets in it, level by level; each once.' }),
      missing: list(text('Its name.'), { description: 'Members that are sets, but do not exist.' }),
      'as-numbers': list(text('The AS number.', { examples: ['AS64500'] }), {
        description: 'The AS numbers in all sets, ascending.',
      }),
      routers: list(text('Its name or address.'), { description: 'The routers in all sets, in order.' }),
      partial: truth('Whether there is more.'),
      serial: count('The serial of the index.'),
    },
    {
      'prefix-counts': list(count('The number of prefixes.'), {
        description:
          'Only on request; the number of prefixes of each of `as-numbers`, in the same order. Shorter when the registry could read only those of the first ones.',
      }),
      'ipv4-prefixes': list(text('The prefix, possibly with a range operator.', { examples: ['192.0.2.0/24^25-26'] }), {
        description: 'Only on request; by address.',
      }),
      'ipv6-prefixes': list(text('The prefix, possibly with a range operator.', { examples: ['2001:db8::/32'] }), {
        description: 'Only on request; by address.',
      }),
    },
  ),
  ExpandedSet: object('A set with its direct members.', {
    type: text('Its type.', { examples: ['as-set'] }),
    name: text('Its name, with its source if a member is written so.', { examples: ['AS-EXAMPLE'] }),
    members: list(text('The member; names are in upper case, prefixes and routers in lower case.'), {
      description: 'The values of `members` and `mp-members`: AS numbers ascending, then the others in their order.',
    }),
    'by-reference': list(text('The member: an AS number, a prefix, or the name of a router.'), {
      description: 'Objects that name the set in `member-of`, and that its `mbrs-by-ref` admits.',
    }),
  }),
};

/** The document of an expansion. Parameter: the concatenated parts of an encoded description, which are one message. */
export function expansionJson(message: Uint8Array, withPrefixes: boolean): string {
  const found = DescribeSetResponse.decode(message);
  const document = {
    sets: joinSetParts(found.sets).map(({ joined, ...set }) => ({ ...set, 'by-reference': joined })),
    missing: found.missing,
    'as-numbers': found.asNumbers.map((number) => `AS${number}`),
    ...(withPrefixes && {
      'prefix-counts': found.prefixCounts,
      'ipv4-prefixes': found.ipv4Prefixes,
      'ipv6-prefixes': found.ipv6Prefixes,
    }),
    routers: found.routers,
    partial: found.isPartial,
    serial: Number(found.serial),
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}
