import { list, object, ref, type Schema, text } from './schema.js';

const ignored = ' An object from a response may be sent unchanged: other members are ignored.';

const attributes = object('Its attributes, in order.', { attribute: list(ref('SubmittedAttribute'), { minItems: 1 }) });

/** The body of a write: the part of a whois-resources document that the gateway uses. */
export const submissionSchemas: Readonly<Record<string, Schema>> = {
  Submission: object('The object to write.', {
    objects: object('Exactly one object.', { object: list(ref('SubmittedObject'), { minItems: 1, maxItems: 1 }) }),
  }),
  PairSubmission: object('A mntner and the person or role that it needs.', {
    objects: object('Exactly two objects.', { object: list(ref('SubmittedObject'), { minItems: 2, maxItems: 2 }) }),
  }),
  BatchSubmission: object('The objects to write together.', {
    objects: object('Up to 100 objects.', { object: list(ref('BatchObject'), { minItems: 1, maxItems: 100 }) }),
  }),
  BatchObject: object(
    `An object of a batch.${ignored}`,
    { attributes },
    {
      action: text('`DELETE` deletes the object; it then needs only its key. Else it is created or updated.', {
        enum: ['CREATE', 'MODIFY', 'NOOP', 'DELETE'],
      }),
      'if-match': text(
        'As the header: the `ETag` of a lookup of the object, which is then updated or deleted, never created. If it has changed since, the batch is refused (412).',
        { examples: ['"3-tfxkqo-yPg9Xv4mDrsPQlvoTnWHNmqpGYo"'] },
      ),
      'if-none-match': text('The object is created, never updated. If it exists, the batch is refused (409).', {
        const: '*',
      }),
    },
  ),
  SubmittedObject: object(`An object to write.${ignored}`, {
    attributes,
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
