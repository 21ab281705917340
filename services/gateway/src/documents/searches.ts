import { count, list, object, ref, type Schema, text, truth } from '@cadastre/rdap/schema';

const namedObject = {
  source: text('The source.', { examples: ['TEST'] }),
  type: text('The type.', { examples: ['inetnum'] }),
  key: text('The key.', { examples: ['192.0.2.0 - 192.0.2.255'] }),
};

const title = {
  title: text('Its name, or else its first description. Persons and roles without `abuse-mailbox` have none.', {
    examples: ['EXAMPLE-NET'],
  }),
};

/** The documents of counts, searches by words, and suggestions. */
export const searchSchemas: Readonly<Record<string, Schema>> = {
  ObjectCounts: object('The number of objects that an inverse lookup finds.', {
    counts: list(ref('TypeCount'), { description: 'The types that have objects, in the order of results.' }),
    partial: truth('Whether there are more objects than these.'),
    serial: count('The serial of the index.'),
  }),
  TypeCount: object('The objects of a type.', {
    type: text('The type.', { examples: ['route'] }),
    objects: count('How many.', 1),
  }),
  WordMatches: object(
    'The objects that contain the words.',
    {
      counts: list(ref('TypeCount'), { description: 'The types that have objects, over all pages.' }),
      partial: truth('Whether there are more objects than the counts say.'),
      serial: count('The serial of the index.'),
      found: list(ref('WordMatch'), { description: 'The objects, best first.' }),
    },
    { cursor: text('The parameter `cursor` of the next page; absent on the last one.') },
  ),
  WordMatch: object(
    'An object that contains the words.',
    {
      ...namedObject,
      matches: list(ref('MatchedAttribute'), {
        description: 'At most three attributes that contain words of the query.',
      }),
    },
    title,
  ),
  MatchedAttribute: object('An attribute that contains words of the query.', {
    attribute: text('Its name.', { examples: ['descr'] }),
    value: text('Its value without comments; of a long one, a part.', { examples: ['Example network'] }),
  }),
  Suggestions: object('Objects that begin with a text.', {
    suggestions: list(ref('Suggestion'), { description: 'The objects, in the order of their keys or names.' }),
  }),
  Suggestion: object('An object whose key or name begins with the text.', namedObject, title),
};
