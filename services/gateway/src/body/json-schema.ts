/** What a JSON value may be. Null stands for "absent" wherever it is found. */
export type Shape =
  | { readonly kind: 'scalar' }
  /** Anything: its content is passed over. */
  | { readonly kind: 'any' }
  | { readonly kind: 'list'; readonly items: Shape }
  | { readonly kind: 'object'; readonly members: ReadonlyMap<string, Shape> };

/** What is wrong with a value, and under which member it was found. */
export interface Mismatch {
  readonly reason: string;
  readonly member: string | undefined;
}

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

/** The first place where a value is not of its shape. */
export function mismatchOf(value: unknown, shape: Shape, name?: string): Mismatch | undefined {
  if (value === null || value === undefined || shape.kind === 'any') return undefined;
  const here = name === undefined ? 'the document' : `"${name}"`;
  if (shape.kind === 'scalar') {
    return typeof value === 'object' ? { reason: `a text is expected for ${here}`, member: name } : undefined;
  }
  if (shape.kind === 'list') {
    if (!Array.isArray(value)) return { reason: `an array is expected for ${here}`, member: name };
    return firstOf(value, (item) => mismatchOf(item, shape.items, name));
  }
  if (typeof value !== 'object' || Array.isArray(value)) {
    return { reason: `an object is expected for ${here}`, member: name };
  }
  return firstOf(Object.entries(value), ([member, inner]) => {
    const inside = shape.members.get(member);
    if (inside === undefined) return { reason: `Unrecognized field "${member}"`, member };
    return mismatchOf(inner, inside, member);
  });
}

function firstOf<T>(items: readonly T[], check: (item: T) => Mismatch | undefined): Mismatch | undefined {
  for (const item of items) {
    const mismatch = check(item);
    if (mismatch !== undefined) return mismatch;
  }
  return undefined;
}
