import { list, object, ref, type Schema, text } from './schema.js';

const ignored = ' An object of an answer may be sent back as it is: what else it has is passed over.';

/** What writes take: the part of a whois-resources document that counts. */
export const submissionSchemas: Readonly<Record<string, Schema>> = {
  Submission: object('The object to be written.', {
    objects: object('Exactly one object.', { object: list(ref('SubmittedObject'), { minItems: 1, maxItems: 1 }) }),
  }),
  PairSubmission: object('A mntner and the person or role that it needs.', {
    objects: object('Exactly two objects.', { object: list(ref('SubmittedObject'), { minItems: 2, maxItems: 2 }) }),
  }),
  SubmittedObject: object(`An object to be written.${ignored}`, {
    attributes: object('Its attributes, in order.', {
      attribute: list(ref('SubmittedAttribute'), { minItems: 1 }),
    }),
  }),
  SubmittedAttribute: object(
    'An attribute to be written.',
    {
      name: text('Name of the attribute, in any letter case.', { examples: ['mnt-by'] }),
      value: text('Its value; every line after the first is a continuation line.', { examples: ['EXAMPLE-MNT'] }),
    },
    { comment: text('Goes behind the value as ` # comment`; only for a value without `#`.') },
  ),
};
