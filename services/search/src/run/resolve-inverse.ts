import { parseObject, valuesOf } from '@cadastre/rpsl';
import type { IndexedObject, SearchIndex, TypeQuery } from '../index-port.js';
import type { InverseTerm } from '../query/inverse.js';
import type { Search } from '../query/plan.js';

type Inverse = Extract<Search, { kind: 'inverse' }>;
type Term = Extract<InverseTerm, { kind: 'term' }>;

/** The searches of one type; an object may match several of them. */
export type TypeSearch = readonly TypeQuery[];

/**
 * The searches of an inverse lookup in one source. A value that names an object means nothing where that object does
 * not exist; membership of a set counts only where the set admits it.
 */
export async function inverseQueries(index: SearchIndex, source: string, search: Inverse): Promise<TypeSearch[]> {
  const terms = search.terms.filter((one) => one.kind === 'term');
  const alternatives = (await Promise.all(terms.map((term) => alternativesOf(index, source, term)))).flat();
  const prefix = search.terms.find((one) => one.kind === 'host')?.prefix;
  return search.types.map((type): TypeSearch => {
    const byTerm: TypeSearch =
      alternatives.length > 0 ? [{ kind: 'terms', type, anyOf: alternatives, order: 'key' }] : [];
    return type === 'domain' && prefix !== undefined ? [...byTerm, { kind: 'hosts', type, prefix }] : byTerm;
  });
}

async function alternativesOf(index: SearchIndex, source: string, term: Term): Promise<string[][]> {
  const wanted = `${term.attribute}=${term.value}`;
  if (term.targets.length === 0) return [[wanted]];
  const loaded = await index.load(term.targets.map((target) => ({ source, ...target })));
  const targets = loaded.filter((one) => one !== undefined);
  if (term.attribute === 'member-of') return memberships(wanted, targets);
  return targets.length > 0 ? [[wanted]] : [];
}

/** A set admits everybody, or the members that one of the maintainers of its `mbrs-by-ref` maintains. */
function memberships(wanted: string, sets: readonly IndexedObject[]): string[][] {
  const admitted = sets.flatMap((set) => {
    const parsed = parseObject(set.text);
    return parsed.ok ? valuesOf(parsed.object, 'mbrs-by-ref') : [];
  });
  const folded = [...new Set(admitted.map((value) => value.toLowerCase()))];
  return folded.includes('any') ? [[wanted]] : folded.map((maintainer) => [wanted, `mnt-by=${maintainer}`]);
}
