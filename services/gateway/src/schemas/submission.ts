import { list, object, ref, type Schema, text } from './schema.js';

const ignored = ' An object from a response may be sent unchanged: other members are ignored.';

/** The body of a write: the part of a whois-resources document that the gateway uses. */
export const submissionSchemas: Readonly<Record<string, Schema>> = {
  Submission: object('The object to write.', {
    objects: object('Exactly one object.', { object: list(ref('SubmittedObject'), { minItems: 1, maxItems: 1 }) }),
  }),
  PairSubmission: object('A mntner and the person or role that it needs.', {
    objects: object('Exactly two objects.', { object: list(ref('SubmittedObject'), { minItems: 2, maxItems: 2 }) }),
  }),
  SubmittedObject: object(`An object to write.${ignored}`, {
    attributes: object('Its attributes, in order.', {
      attribute: list(ref('SubmittedAttribute'), { minItems: 1 }),
    }),
  }),
  SubmittedAttribute: object(
    'An attribute to write.',
    {
      name: text('Name of the attribute, in any letter case.', { examples: ['mnt-by'] }),
      value: text('Its value; every line after the first is a continuation line.', { examples: ['EXAMPLE-MNT'] }),
    },
    { comment: text('Appended to the value as ` # comment`; only for a value without `#`.') },
  ),
};
