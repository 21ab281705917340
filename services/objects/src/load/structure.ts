import {
  attributeType,
  type Message,
  messages,
  type ObjectTypeName,
  objectTypes,
  type RpslObject,
} from '@cadastre/rpsl';

/** The requirements of a template for objects of any age. */
interface Structure {
  readonly mandatory: readonly string[];
  readonly single: ReadonlySet<string>;
}

/** Mandatory attributes that published dumps lack, because filtering removes them. */
const withheld: ReadonlySet<string> = new Set(['auth', 'e-mail', 'upd-to']);

const structures: ReadonlyMap<ObjectTypeName, Structure> = new Map(
  objectTypes.map(({ name, attributes }) => {
    const demanded = attributes.filter((use) => use.requirement === 'mandatory' && !withheld.has(use.name));
    const single = attributes.filter((use) => use.cardinality === 'single');
    return [name, { mandatory: demanded.map((use) => use.name), single: new Set(single.map((use) => use.name)) }];
  }),
);

/**
 * Why an object of a dump does not match its type: unknown, missing or repeated attributes. Accepts attributes of other
 * types, which templates once had.
 */
export function structureErrors(object: RpslObject): Message[] {
  const { mandatory, single } = structures.get(object.type)!;
  const errors: Message[] = [];
  const seen = new Set<string>();
  object.attributes.forEach((attribute, index) => {
    const { name } = attribute;
    if (seen.has(name) && single.has(name)) errors.push(messages.appearsMoreThanOnce(name));
    if (attributeType(name) === undefined) errors.push(messages.unknownAttribute({ attribute, index }));
    seen.add(name);
  });
  return [...errors, ...mandatory.filter((name) => !seen.has(name)).map((name) => messages.mandatoryMissing(name))];
}

const attributeName = /^[a-z][a-z0-9_-]*$/;

/**
 * The same for an object of another registry with other templates: it may have any attributes. A second `source` shows
 * that the dump has lost the blank line between two objects.
 */
export function foreignStructureErrors(object: RpslObject): Message[] {
  const errors = object.attributes.flatMap((attribute, index) =>
    attributeName.test(attribute.name) ? [] : messages.unknownAttribute({ attribute, index }),
  );
  const sources = object.attributes.filter(({ name }) => name === 'source');
  return sources.length > 1 ? [...errors, messages.appearsMoreThanOnce('source')] : errors;
}
