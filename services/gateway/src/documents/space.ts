import { count, list, object, ref, type Schema, text, truth } from '@cadastre/rdap/schema';

const addresses = { pattern: '^[0-9]+$', examples: ['256'] };
const prefix = { examples: ['192.0.2.0/24'] };

/** The members of a network. */
const always = {
  source: text('Its source.', { examples: ['TEST'] }),
  type: text('inetnum or inet6num.', { examples: ['inetnum'] }),
  key: text('Its key.', { examples: ['192.0.2.0 - 192.0.2.255'] }),
};
const optional = {
  netname: text('Its name.', { examples: ['EXAMPLE-NET'] }),
  status: text('Its status.', { examples: ['ASSIGNED PA'] }),
};

/** The documents about used and free addresses. */
export const spaceSchemas: Readonly<Record<string, Schema>> = {
  Space: object('The use of a range of addresses. Numbers of addresses are decimal texts.', {
    source: text('The source.', { examples: ['TEST'] }),
    type: text('inetnum or inet6num.', { examples: ['inetnum'] }),
    range: text('The range, as a prefix if it is one.', prefix),
    addresses: text('Number of its addresses.', addresses),
    enclosing: list(ref('Network'), {
      description: 'The objects that have or enclose the range, smallest first.',
      maxItems: 20,
    }),
    used: text('Number of its addresses in objects inside it, or across one of its bounds.', addresses),
    objects: count('Number of these objects, on all levels.'),
    partial: truth('Whether there are more objects, which the response omits.'),
    parts: list(ref('SpacePart'), {
      description: 'Its parts in order: prefixes of one length, cut at the start and end of the range.',
      maxItems: 256,
    }),
    inside: list(text('A key.', { examples: ['192.0.2.0 - 192.0.2.127'] }), {
      description:
        'Keys of the outermost of these objects, in address order: those that are at least as large as a part, and if there are at most 1,000 objects, all of them.',
    }),
    free: list(text('A prefix.', prefix), {
      description: 'The first free prefix of each length that has one, shorter prefixes first.',
    }),
  }),
  SpacePart: object('A part of a range.', {
    range: text('The part, as a prefix if it is one.', prefix),
    used: text('Number of its addresses in objects.', addresses),
    objects: count('Number of the objects that begin in it, on all levels.'),
  }),
  Network: object('A network.', always, optional),
  OwnSpace: object('The address space of an account.', {
    networks: list(ref('OwnNetwork'), { maxItems: 1000 }),
    incomplete: truth('Whether there are more than these.'),
  }),
  OwnNetwork: object(
    'A network.',
    {
      ...always,
      attributes: list(text('A name.', { examples: ['mnt-by'] }), {
        description: 'The attributes that name a mntner of the account.',
      }),
    },
    optional,
  ),
};
