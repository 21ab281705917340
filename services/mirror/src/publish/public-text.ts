import { firstValueOf, parseObject, printObject, publicCopy } from '@cadastre/rpsl';

/**
 * Counts the ways in which objects were made public. Whoever changes what others get increases it: sources then begin a
 * new session, because followers must not keep what the former way gave them.
 */
export const policyVersion = 1;

/**
 * The text of an object of the source as others get it; undefined when they get none: of persons, and of objects with
 * another name in `source`, such as those of the non-authoritative part of the main source.
 */
export function publicText(text: string, source: string): string | undefined {
  const parsed = parseObject(text);
  if (!parsed.ok) return undefined;
  if (firstValueOf(parsed.object, 'source')?.toUpperCase() !== source) return undefined;
  const copy = publicCopy(parsed.object);
  return copy && printObject(copy);
}

/** Types of which others get no object, whatever it says. */
export const privateTypes: ReadonlySet<string> = new Set(['person']);
