// Characters that stand for themselves need no work; nearly every value has no others.
const special = /[^\u0020\u0021\u0023-\u005B\u005D-\u2027\u202A-\uD7FF\uE000-\uFFFF]/;

/** A string as JSON. */
export function jsonText(text: string): string {
  return special.test(text) ? JSON.stringify(text) : `"${text}"`;
}

/** A value for which speed does not matter; members that are `undefined` are left out. */
export type JsonValue = string | number | boolean | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: JsonValue | undefined;
}

/** A value in the layout of all answers: two spaces per level of objects, lists on the line that they began on. */
export function jsonValue(value: JsonValue, indent = ''): string {
  if (typeof value === 'string') return jsonText(value);
  if (typeof value !== 'object') return String(value);
  return Array.isArray(value) ? listText(value, indent) : objectText(value as JsonObject, indent);
}

function listText(list: readonly JsonValue[], indent: string): string {
  return list.length === 0 ? '[ ]' : `[ ${list.map((item) => jsonValue(item, indent)).join(', ')} ]`;
}

function objectText(object: JsonObject, indent: string): string {
  const members = Object.entries(object)
    .filter((member): member is [string, JsonValue] => member[1] !== undefined)
    .map(([name, value]) => `${indent}  ${jsonText(name)} : ${jsonValue(value, `${indent}  `)}`);
  return members.length === 0 ? '{ }' : `{\n${members.join(',\n')}\n${indent}}`;
}

/** A link to something. */
export function jsonLocator(href: string): JsonObject {
  return { type: 'locator', href };
}
