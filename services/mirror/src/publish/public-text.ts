import { createHash } from 'node:crypto';
import { firstValueOf, parseObject, printObject, publicCopy } from '@cadastre/rpsl';
import type { PublicSource } from '../public-source.js';

/**
 * Version of the public form of objects. Increase it with every change of that form: sources then begin a new session,
 * because followers must drop objects of the former form.
 */
const policyVersion = 1;

/** The number of the public form of the objects of a source: that version, or one for it and the texts that it keeps. */
export function policyOf({ texts }: PublicSource): number {
  if (texts.size === 0) return policyVersion;
  const policy = [policyVersion, ...[...texts].sort()].join(' ');
  return createHash('sha256').update(policy).digest().readUInt32BE(0) >>> 1;
}

/**
 * The public text of an object in a source; undefined when it is not public there: for persons, and for objects with
 * another name in `source`, such as those of the other part of the main source.
 */
export function publicText(text: string, source: PublicSource): string | undefined {
  // Most routes are not of the non-authoritative part, so they need not be parsed.
  if (!text.toUpperCase().includes(source.name)) return undefined;
  const parsed = parseObject(text);
  if (!parsed.ok || !isPublicType(source, parsed.object.type)) return undefined;
  if (firstValueOf(parsed.object, 'source')?.toUpperCase() !== source.name) return undefined;
  const copy = publicCopy(parsed.object, source.texts);
  return copy && printObject(copy);
}

/** Whether objects of a type may be public in a source; those of persons never are, whatever they contain. */
export function isPublicType({ types }: PublicSource, type: string): boolean {
  return type !== 'person' && (types as readonly string[]).includes(type);
}
