import { JsonFault, type JsonMember, type JsonNode } from './json-reader.js';

/** What a JSON value may be. Null stands for "absent" wherever it is found. */
export type Shape =
  | { readonly kind: 'scalar' }
  /** Anything: its content is passed over. */
  | { readonly kind: 'any' }
  | { readonly kind: 'list'; readonly items: Shape }
  | { readonly kind: 'object'; readonly members: ReadonlyMap<string, Shape> };

const scalar: Shape = { kind: 'scalar' };
const any: Shape = { kind: 'any' };

function list(items: Shape): Shape {
  return { kind: 'list', items };
}

function object(members: Record<string, Shape>): Shape {
  return { kind: 'object', members: new Map(Object.entries(members)) };
}

function scalars(...names: string[]): Shape {
  return object(Object.fromEntries(names.map((name) => [name, scalar])));
}

const link = scalars('type', 'href');
const namedValue = scalars('name', 'value');

const attribute = object({
  link,
  name: scalar,
  value: scalar,
  'referenced-type': scalar,
  managed: scalar,
  comment: scalar,
});

const messageList = list(
  object({ severity: scalar, attribute: namedValue, text: scalar, args: list(scalars('value')) }),
);

const registryObject = object({
  type: scalar,
  link,
  source: scalars('id'),
  'primary-key': object({ attribute: list(namedValue) }),
  attributes: object({ attribute: list(attribute) }),
  tags: object({ tag: list(scalars('id', 'data')) }),
  'resource-holder': scalars('key', 'name'),
  'abuse-contact': scalars('key', 'email', 'suspect', 'org-id'),
  managed: scalar,
  objectmessages: object({ objectmessage: messageList }),
  action: scalar,
  version: scalar,
});

/** A whois-resources document: every member that answers have, so that an answer can be sent back. */
export const whoisResources: Shape = object({
  link,
  service: scalars('name'),
  parameters: any,
  templates: any,
  objects: object({ object: list(registryObject) }),
  sources: any,
  'grs-sources': any,
  errormessages: object({ errormessage: messageList }),
  'geolocation-attributes': any,
  versions: any,
  'terms-and-conditions': link,
  version: scalars('version', 'timestamp', 'commit-id'),
});

/** Throws a JsonFault at the first place where a value is not of its shape. */
export function requireShape(node: JsonNode, shape: Shape, name = 'the document'): void {
  if (node.kind === 'null' || shape.kind === 'any') return;
  if (node.kind !== shape.kind) throw new JsonFault(`${expected[shape.kind]} is expected for ${name}`, node.at);
  if (node.kind === 'list' && shape.kind === 'list') {
    for (const item of node.items) requireShape(item, shape.items, name);
  }
  if (node.kind === 'object' && shape.kind === 'object') {
    for (const member of node.members) requireMember(member, shape.members);
  }
}

const expected = { scalar: 'a text', list: 'an array', object: 'an object' };

function requireMember({ name, at, value }: JsonMember, members: ReadonlyMap<string, Shape>): void {
  const shape = members.get(name);
  if (shape === undefined) throw new JsonFault(`Unrecognized field "${name}"`, at);
  requireShape(value, shape, `"${name}"`);
}
