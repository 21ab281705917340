import { list, object, ref, type Schema, text } from './schema.js';

/** The list of a bulk lookup and its result. */
export const resourceDescriptionSchemas: Readonly<Record<string, Schema>> = {
  ResourceList: object('Resources to look up.', {
    resources: list(text('An address, a prefix, an IPv4 range or an AS number.'), { minItems: 1, maxItems: 10_000 }),
  }),
  ResourceDescriptions: object('What is known about resources.', {
    resources: list(ref('ResourceDescription'), { description: 'One for each resource, in the same order.' }),
  }),
  ResourceDescription: object(
    'What is known about a resource.',
    {
      resource: text('The resource as sent.', { examples: ['192.0.2.77'] }),
      routes: list(ref('ResourceRoute'), {
        description: 'The routes of the longest registered prefix that contains it; at most ten.',
      }),
    },
    {
      network: object('The object that registers it, or encloses it; absent when it is not registered.', {
        source: text('Its source.', { examples: ['TEST'] }),
        type: text('Its type.', { enum: ['inetnum', 'inet6num', 'aut-num'] }),
        key: text('Its key.', { examples: ['192.0.2.0 - 192.0.2.255'] }),
        name: text('Its `netname` or `as-name`; may be empty.', { examples: ['EXAMPLE-NET'] }),
        countries: list(text('A country code.', { examples: ['NL'] }), {
          description: 'Its countries, or those of the organisation that holds it.',
        }),
      }),
      'resource-holder': object('The organisation that holds it.', {
        key: text('Key of the organisation.', { examples: ['ORG-EX1-TEST'] }),
        name: text('Its name.'),
      }),
      'abuse-contact': ref('AbuseContact'),
      error: text('Why it was not looked up.'),
    },
  ),
  ResourceRoute: object(
    'A registered route.',
    {
      prefix: text('Its prefix.', { examples: ['192.0.2.0/24'] }),
      origin: text('Its origin.', { examples: ['AS64500'] }),
    },
    {
      roa: text('How it compares with ROAs (RFC 6811); absent when the registry does not know.', {
        enum: ['valid', 'invalid', 'not-found'],
      }),
    },
  ),
};
