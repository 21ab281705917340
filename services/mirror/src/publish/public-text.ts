import { firstValueOf, parseObject, printObject, publicCopy } from '@cadastre/rpsl';
import type { PublicSource } from '../public-source.js';

/**
 * Counts the ways in which objects were made public. Whoever changes what others get increases it: sources then begin a
 * new session, because followers must not keep what the former way gave them.
 */
export const policyVersion = 1;

/**
 * The text of an object as others get it in a source; undefined when they do not get it there: of persons, and of objects
 * with another name in `source`, such as those of the other part of the main source.
 */
export function publicText(text: string, source: PublicSource): string | undefined {
  // Most routes are not of the non-authoritative part: nobody has to read all that they say.
  if (!text.toUpperCase().includes(source.name)) return undefined;
  const parsed = parseObject(text);
  if (!parsed.ok || !isPublicType(source, parsed.object.type)) return undefined;
  if (firstValueOf(parsed.object, 'source')?.toUpperCase() !== source.name) return undefined;
  const copy = publicCopy(parsed.object);
  return copy && printObject(copy);
}

/** Whether others may get objects of a type in a source; of persons they never do, whatever these say. */
export function isPublicType({ types }: PublicSource, type: string): boolean {
  return type !== 'person' && (types as readonly string[]).includes(type);
}
