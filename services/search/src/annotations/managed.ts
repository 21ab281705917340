import { firstValueOf, type RpslObject, statusesWhere, valuesOf } from '@cadastre/rpsl';
import { isMatch } from '../document.js';
import type { IndexedObject, IndexReads, TypeQuery } from '../index-port.js';
import { found } from '../run/found.js';
import type { AnnotatedObject } from './holders.js';

/** The part of an object that the registry operator manages. */
export interface Managed {
  readonly managed: boolean;
  /** Names of the attributes that only the operator may change, in object order. */
  readonly attributes: readonly string[];
  /** The operator's maintainers among the values of `mnt-by`, as written there. */
  readonly maintainers: readonly string[];
}

const nothing: Managed = { managed: false, attributes: [], maintainers: [] };
const organisationAttributes = ['organisation', 'org', 'org-name', 'org-type', 'country', 'reg-nr', 'source'];
const assignedAttributes = ['org', 'sponsoring-org', 'status', 'source'];
const allocatedAttributes = ['org', 'status', 'netname', 'source'];

/** Allocations belong to the operator, regardless of their maintainers. */
const allocated = statusesWhere(({ by, kind }) => by === 'registry' && kind === 'allocation');

/** These belong to the operator if it is one of the maintainers. */
const assigned = statusesWhere(({ by, kind }) => (by === 'registry' && kind === 'assignment') || by === 'legacy');

/** Finds what the operator, given by its maintainers (lower case), manages of an object. */
export async function managedOf(
  { stored, object }: AnnotatedObject,
  index: IndexReads,
  operators: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<Managed> {
  if (object.type === 'organisation') {
    const managed = await isManagedOrganisation(object, stored, index, operators, signal);
    return managed ? shown(object, organisationAttributes, operators) : nothing;
  }
  const status = firstValueOf(object, 'status')?.toUpperCase() ?? '';
  if (allocated[object.type]?.has(status)) return shown(object, [object.type, ...allocatedAttributes], operators);
  const isOperators = valuesOf(object, 'mnt-by').some((name) => operators.has(name.toLowerCase()));
  if (isOperators && assigned[object.type]?.has(status)) {
    return shown(object, [object.type, ...assignedAttributes], operators);
  }
  return nothing;
}

/** Includes `mnt-by` as a whole if it names only the operator. */
function shown(object: RpslObject, names: readonly string[], operators: ReadonlySet<string>): Managed {
  const all = valuesOf(object, 'mnt-by');
  const maintainers = all.filter((name) => operators.has(name.toLowerCase()));
  const managed = new Set(maintainers.length === all.length ? [...names, 'mnt-by'] : names);
  const attributes = [...new Set(object.attributes.map((a) => a.name))].filter((name) => managed.has(name));
  return { managed: true, attributes, maintainers };
}

async function isManagedOrganisation(
  object: RpslObject,
  { source, key }: AnnotatedObject['stored'],
  index: IndexReads,
  operators: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<boolean> {
  const type = firstValueOf(object, 'org-type')?.toUpperCase();
  if (type !== 'OTHER') return type === 'LIR';
  const anyOf = [...operators].map((operator) => [`org=${key}`, `mnt-by=${operator}`]);
  const queries = (['inetnum', 'inet6num', 'aut-num'] as const).map(
    (resource): TypeQuery => ({ kind: 'terms', type: resource, anyOf, order: 'key' }),
  );
  const matches = await index.query(source, queries, signal);
  const isManaged = (stored: IndexedObject) => {
    const one = found(stored);
    return one !== undefined && isMatch(one, { kind: 'terms', type: stored.type, anyOf, order: 'key' });
  };
  for await (const page of matches?.pages ?? []) if (page.some(isManaged)) return true;
  return false;
}
