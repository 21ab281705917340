import { list, object, oneOf, ref, type Schema, text } from '@cadastre/rdap/schema';

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
      action: oneOf('`DELETE` deletes the object; it then needs only its key. Otherwise it is created or updated.', [
        'CREATE',
        'MODIFY',
        'NOOP',
        'DELETE',
      ]),
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

/** Complete bodies for clients to send, in a registry where EXAMPLE-MNT exists, or which the pair creates. */
export interface Example {
  readonly json: object;
  readonly xml: string;
  readonly text: string;
}

type Attributes = readonly (readonly [name: string, value: string])[];

const person: Attributes = [
  ['person', 'Alice Example'],
  ['address', 'Example Street 1'],
  ['address', '1012 AB Amsterdam'],
  ['phone', '+31 20 555 0102'],
  ['e-mail', 'alice@example.net'],
  ['nic-hdl', 'AE1-TEST'],
  ['mnt-by', 'EXAMPLE-MNT'],
  ['source', 'TEST'],
];

const mntner: Attributes = [
  ['mntner', 'EXAMPLE-MNT'],
  ['admin-c', 'AE1-TEST'],
  ['upd-to', 'noc@example.net'],
  ['auth', 'SSO alice@example.net'],
  ['mnt-by', 'EXAMPLE-MNT'],
  ['source', 'TEST'],
];

/** A person. */
export const personExample = exampleOf(person);

/** A mntner and its person. */
export const pairExample = exampleOf(mntner, person);

function exampleOf(...objects: readonly Attributes[]): Example {
  return {
    json: { objects: { object: objects.map(jsonObject) } },
    xml: `<whois-resources><objects>${objects.map(xmlObject).join('')}</objects></whois-resources>`,
    text: objects.map(textObject).join('\n'),
  };
}

function jsonObject(attributes: Attributes): object {
  return { attributes: { attribute: attributes.map(([name, value]) => ({ name, value })) } };
}

/** These values need no escapes. */
function xmlObject(attributes: Attributes): string {
  const written = attributes.map(([name, value]) => `<attribute name="${name}" value="${value}"/>`);
  return `<object><attributes>${written.join('')}</attributes></object>`;
}

function textObject(attributes: Attributes): string {
  return attributes.map(([name, value]) => `${`${name}:`.padEnd(16)}${value}\n`).join('');
}
