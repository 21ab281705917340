import type { InverseTerm } from '@cadastre/query';
import { type AttributeName, type ObjectTypeName, objectType, parseObject, valuesOf } from '@cadastre/rpsl';
import type { IndexReads, InverseQuery, ObjectId } from '../index-port.js';
import { inverseOrder, type Search } from '../query/plan.js';
import { idText } from './related.js';

type Inverse = Extract<Search, { kind: 'inverse' }>;
type Term = Extract<InverseTerm, { kind: 'term' }>;

/** Lists of required terms, for types with an attribute. */
interface Alternatives {
  readonly attribute: AttributeName;
  readonly anyOf: readonly string[][];
}

/**
 * The queries of an inverse lookup in one source, in the order of types, for the types that can have the attributes. A
 * value that names a missing object matches nothing; membership of a set counts only if the set accepts it.
 */
export async function inverseQueries(index: IndexReads, source: string, search: Inverse): Promise<InverseQuery[]> {
  const onlyIf = commonTargets(search.terms);
  if (onlyIf !== undefined) return search.types.flatMap((type) => queryOf(type, search, onlyIf));
  const terms = search.terms.filter((one) => one.kind === 'term');
  const alternatives = await alternativesOf(index, source, terms);
  const prefix = search.terms.find((one) => one.kind === 'host')?.prefix;
  return search.types.flatMap((type): InverseQuery[] => {
    const anyOf = alternatives.flatMap((one) => (hasAttribute(type, one.attribute) ? one.anyOf : []));
    const hosts = type === 'domain' ? prefix : undefined;
    if (anyOf.length > 0) {
      return [{ kind: 'terms', type, anyOf, order: inverseOrder(search, type), ...(hosts !== undefined && { hosts }) }];
    }
    return type === 'domain' && hosts !== undefined ? [{ kind: 'hosts', type, prefix: hosts }] : [];
  });
}

/** The targets of which one must exist, if every term has the same: then the search itself checks that. */
function commonTargets(terms: Inverse['terms']): Term['targets'] | undefined {
  const targets = terms.map((term) =>
    term.kind === 'host' || term.attribute === 'member-of' ? undefined : term.targets,
  );
  const [first] = targets;
  const names = targets.map((some) => some?.map(idText).join());
  return names.every((name) => name !== undefined && name === names[0]) ? first : undefined;
}

/** The query of terms, none of which is a host. */
function queryOf(type: ObjectTypeName, search: Inverse, onlyIf: Term['targets']): InverseQuery[] {
  const anyOf = (search.terms as Term[])
    .filter(({ attribute }) => hasAttribute(type, attribute))
    .map(({ attribute, value }) => [`${attribute}=${value}`]);
  if (anyOf.length === 0) return [];
  const order = inverseOrder(search, type);
  return [{ kind: 'terms', type, anyOf, order, ...(onlyIf.length > 0 && { onlyIf }) }];
}

function hasAttribute(type: ObjectTypeName, attribute: AttributeName): boolean {
  return objectType(type)!.attributes.some(({ name }) => name === attribute);
}

async function alternativesOf(index: IndexReads, source: string, terms: readonly Term[]): Promise<Alternatives[]> {
  const targetsOf = ({ targets }: Term) => targets.map((target): ObjectId => ({ source, ...target }));
  const memberOf = terms.find(({ attribute }) => attribute === 'member-of');
  const others = terms.filter((term) => term !== memberOf);
  const [known, admitted] = await Promise.all([
    knownNames(index, others.flatMap(targetsOf)),
    memberOf ? admittedMaintainers(index, targetsOf(memberOf)) : new Set<string>(),
  ]);
  return terms.map((term) => {
    const { attribute, value, targets } = term;
    const wanted = `${attribute}=${value}`;
    if (term === memberOf) return { attribute, anyOf: memberships(wanted, admitted) };
    const exists = targets.length === 0 || targets.some((target) => known.has(idText(target)));
    return { attribute, anyOf: exists ? [[wanted]] : [] };
  });
}

async function knownNames(index: IndexReads, ids: readonly ObjectId[]): Promise<Set<string>> {
  const isKnown = await index.known(ids);
  return new Set(ids.filter((_, at) => isKnown[at]).map(idText));
}

/** The values of `mbrs-by-ref` of some sets, in lower case. */
async function admittedMaintainers(index: IndexReads, sets: readonly ObjectId[]): Promise<Set<string>> {
  const admitted = new Set<string>();
  for (let left = sets; left.length > 0; ) {
    const { objects, later } = await index.load(left);
    for (const { text } of objects) {
      const parsed = parseObject(text);
      const values = parsed.ok ? valuesOf(parsed.object, 'mbrs-by-ref') : [];
      for (const value of values) admitted.add(value.toLowerCase());
    }
    left = later;
  }
  return admitted;
}

/** A set accepts all members, or those of a maintainer in its `mbrs-by-ref`. */
function memberships(wanted: string, admitted: ReadonlySet<string>): string[][] {
  return admitted.has('any') ? [[wanted]] : [...admitted].map((maintainer) => [wanted, `mnt-by=${maintainer}`]);
}
