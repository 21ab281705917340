import { type ObjectTypeName, objectType } from '@cadastre/rpsl';
import { hash64, hashHalves } from '@cadastre/service/hash64';
import type { IndexDocument } from './index-port.js';

/** A term with its type, so that a common term is read for one type only. */
function typedTerm(type: ObjectTypeName, term: string): string {
  return `${objectType(type)!.shortName}:${term}`;
}

/** A hash of a term with its type, as adapters store it. Two terms may have the same hash (ADR 0077). */
export function termHash(type: ObjectTypeName, term: string): bigint {
  return hash64(typedTerm(type, term));
}

/** The same hash, as two unsigned 32-bit halves. */
export function termHalves(type: ObjectTypeName, term: string): { high: number; low: number } {
  return hashHalves(typedTerm(type, term));
}

/** The organisation that holds the addresses or numbers of an object. */
export function orgOf({ terms, range }: IndexDocument): string | null {
  return (range && valuesOf(terms, 'org')[0]) ?? null;
}

/** The values of `mnt-irt`, which `SearchIndex.nearestWith` returns. */
export function irtsOf({ terms }: IndexDocument): string[] {
  return valuesOf(terms, 'mnt-irt');
}

function valuesOf(terms: readonly string[], name: string): string[] {
  return terms.filter((term) => term.startsWith(`${name}=`)).map((term) => term.slice(name.length + 1));
}

/** The types with names besides their keys, as far as suggestions show them. */
export const suggestedNames: readonly ObjectTypeName[] = ['aut-num', 'inet6num', 'inetnum', 'organisation', 'role'];
