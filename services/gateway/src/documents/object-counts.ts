import { count, list, object, ref, type Schema, text, truth } from './schema.js';

/** The document of counts. */
export const objectCountsSchemas: Readonly<Record<string, Schema>> = {
  ObjectCounts: object('How many objects an inverse lookup finds.', {
    counts: list(ref('TypeCount'), { description: 'The types that have objects, in the order of results.' }),
    partial: truth('Whether there are more objects than these.'),
    serial: count('The serial of the index.'),
  }),
  TypeCount: object('The objects of a type.', {
    type: text('The type.', { examples: ['route'] }),
    objects: count('How many.', 1),
  }),
};
