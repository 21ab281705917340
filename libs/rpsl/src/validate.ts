import { type Message, type Place, sortMessages } from './message.js';
import { messages } from './messages.js';
import type { RpslObject } from './object.js';
import { checkSyntax } from './syntax/index.js';
import { type AttributeUse, attributeType, type ObjectType, type ObjectTypeName, objectType } from './types.js';
import { listValues } from './value.js';

/** Known attributes that no template has and that an update drops. */
const dropped: { readonly [attribute: string]: readonly ObjectTypeName[] | 'all' } = {
  changed: 'all',
  'mnt-lower': ['aut-num'],
  'mnt-routes': ['aut-num'],
};

/**
 * All violations (the first hundreds) of structure and syntax together (rules G-ATTR-UNKNOWN, G-ATTR-TYPE, G-MANDATORY,
 * G-SINGLE, G-SYNTAX), sorted. Ignores generated attributes.
 */
export function validate(o: RpslObject): Message[] {
  const type = objectType(o.type)!;
  const found: Message[] = [];
  for (const [index, attribute] of o.attributes.entries()) {
    if (found.length >= enough) break;
    found.push(...checkAttribute(type, { attribute, index }));
  }
  return sortMessages([...checkTemplate(type, o), ...found]);
}

/** Number of violations after which the check stops; more than a reply shows. */
const enough = 500;

/** Checks the template's requirements on the whole object. */
function checkTemplate(type: ObjectType, o: RpslObject): Message[] {
  const counts = new Map<string, number>();
  for (const { name } of o.attributes) {
    const known = attributeType(name)?.name ?? name;
    counts.set(known, (counts.get(known) ?? 0) + 1);
  }
  return type.attributes.flatMap((use) => checkUse(use, counts.get(use.name) ?? 0));
}

function checkUse(use: AttributeUse, count: number): Message[] {
  const found: Message[] = [];
  if (use.requirement === 'mandatory' && count === 0) found.push(messages.mandatoryMissing(use.name));
  if (use.cardinality === 'single' && use.requirement !== 'generated' && count > 1) {
    found.push(messages.appearsMoreThanOnce(use.name));
  }
  return found;
}

function checkAttribute(type: ObjectType, place: Required<Place>): Message[] {
  const name = attributeType(place.attribute.name)?.name;
  if (name === undefined) return [messages.unknownAttribute(place)];
  const use = type.attributes.find((candidate) => candidate.name === name);
  if (use === undefined) return isDropped(name, type.name) ? [] : [messages.notValidForType(place)];
  if (use.requirement === 'generated') return [];
  return listValues(place.attribute)
    .filter((value) => !checkSyntax(name, type.name, value))
    .slice(0, enough)
    .map((value) => messages.syntaxError(value, place));
}

function isDropped(name: string, type: ObjectTypeName): boolean {
  const types = dropped[name];
  return types === 'all' || types?.includes(type) === true;
}
