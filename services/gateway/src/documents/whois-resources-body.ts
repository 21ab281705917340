/** The part of JSON Schema (draft 2020-12) that bodies need. Null means absent everywhere. */
type BodySchema =
  | { readonly type: readonly ['string', 'number', 'boolean', 'null'] }
  | { readonly type: readonly ['array', 'null']; readonly items: BodySchema }
  | {
      readonly type: readonly ['object', 'null'];
      readonly properties: Readonly<Record<string, BodySchema>>;
      readonly additionalProperties: false;
    }
  | true;

const scalar: BodySchema = { type: ['string', 'number', 'boolean', 'null'] };
/** Its content is ignored. */
const anything: BodySchema = true;

function list(items: BodySchema): BodySchema {
  return { type: ['array', 'null'], items };
}

function object(properties: Record<string, BodySchema>): BodySchema {
  return { type: ['object', 'null'], properties, additionalProperties: false };
}

function scalars(...names: string[]): BodySchema {
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
  'if-match': scalar,
  'if-none-match': scalar,
  version: scalar,
});

/** The body of a write. It has every member of responses, so that clients can send back what they received. */
export const whoisResourcesBody = object({
  link,
  service: scalars('name'),
  parameters: anything,
  templates: anything,
  objects: object({ object: list(registryObject) }),
  sources: anything,
  'grs-sources': anything,
  errormessages: object({ errormessage: messageList }),
  'geolocation-attributes': anything,
  results: anything,
  limits: anything,
  versions: anything,
  'terms-and-conditions': link,
  version: scalars('version', 'timestamp', 'commit-id'),
});
