import { count, list, object, ref, type Schema, text } from './schema.js';

const prefixes = list(text('The prefix, perhaps with a range operator.', { examples: ['192.0.2.0/24'] }), {
  description: 'By address, IPv4 first.',
});

/** The document of the prefixes of a set. */
export const setPrefixesSchemas: Readonly<Record<string, Schema>> = {
  SetPrefixes: object(
    'The prefixes of a set.',
    {
      source: text('The source of the path.', { examples: ['TEST'] }),
      type: text('The type of the set.', { examples: ['as-set'] }),
      name: text('Its name in upper case.', { examples: ['AS-EXAMPLE'] }),
      serial: count('The serial of the index when the expansion began.'),
    },
    {
      prefixes: { ...prefixes, description: 'Unless listed by origin.' },
      origins: list(ref('OriginPrefixes'), { description: 'Only with `by=origin`: all AS numbers, ascending.' }),
    },
  ),
  OriginPrefixes: object('The prefixes of an AS number.', {
    origin: text('The AS number.', { examples: ['AS64500'] }),
    prefixes,
  }),
};
