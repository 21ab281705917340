/** Bodies that a client may send as they are, in a registry where EXAMPLE-MNT exists, or is made by the pair. */
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

/** A mntner and the person that it needs. */
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
