import { firstValueOf, type ObjectTypeName, type RpslObject, valuesOf } from '@cadastre/rpsl';
import type { SearchIndex, TypeQuery } from '../index-port.js';
import type { Found } from '../run/found.js';

/** What the operator of the registry manages of an object. */
export interface Managed {
  readonly managed: boolean;
  /** Names of the attributes that only the operator may change, in object order. */
  readonly attributes: readonly string[];
}

const nothing: Managed = { managed: false, attributes: [] };
const organisationAttributes = ['organisation', 'org', 'org-name', 'org-type', 'country', 'reg-nr', 'source'];
const assignedAttributes = ['org', 'sponsoring-org', 'status', 'source'];
const allocatedAttributes = ['org', 'status', 'netname', 'source'];

/** Allocations belong to the operator whoever maintains them. */
const allocated: { readonly [type in ObjectTypeName]?: readonly string[] } = {
  inetnum: ['ALLOCATED PA', 'ALLOCATED-ASSIGNED PA', 'ALLOCATED UNSPECIFIED'],
  inet6num: ['ALLOCATED-BY-RIR'],
};

/** These are the operator's where it is one of the maintainers. */
const assigned: { readonly [type in ObjectTypeName]?: readonly string[] } = {
  inetnum: ['ASSIGNED PI', 'ASSIGNED ANYCAST', 'LEGACY'],
  inet6num: ['ASSIGNED PI', 'ASSIGNED ANYCAST'],
  'aut-num': ['ASSIGNED', 'LEGACY'],
};

/** Tells what the operator, known by its maintainers (lower case), manages of an object. */
export async function managedOf(
  { stored, object }: Found,
  index: SearchIndex,
  operators: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<Managed> {
  if (object.type === 'organisation') {
    const managed = await isManagedOrganisation(object, stored, index, operators, signal);
    return managed ? shown(object, organisationAttributes, operators) : nothing;
  }
  const status = firstValueOf(object, 'status')?.toUpperCase() ?? '';
  if (allocated[object.type]?.includes(status)) {
    return shown(object, [object.type, ...allocatedAttributes], operators);
  }
  const isOperators = valuesOf(object, 'mnt-by').some((name) => operators.has(name.toLowerCase()));
  if (isOperators && assigned[object.type]?.includes(status)) {
    return shown(object, [object.type, ...assignedAttributes], operators);
  }
  return nothing;
}

/** `mnt-by` is among them where it names nobody but the operator. */
function shown(object: RpslObject, names: readonly string[], operators: ReadonlySet<string>): Managed {
  const onlyOperators = valuesOf(object, 'mnt-by').every((name) => operators.has(name.toLowerCase()));
  const managed = new Set(onlyOperators ? [...names, 'mnt-by'] : names);
  return {
    managed: true,
    attributes: [...new Set(object.attributes.map((a) => a.name))].filter((n) => managed.has(n)),
  };
}

async function isManagedOrganisation(
  object: RpslObject,
  { source, key }: Found['stored'],
  index: SearchIndex,
  operators: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<boolean> {
  const type = firstValueOf(object, 'org-type')?.toUpperCase();
  if (type !== 'OTHER') return type === 'LIR';
  const anyOf = [...operators].map((operator) => [`org=${key}`, `mnt-by=${operator}`]);
  for (const resource of ['inetnum', 'inet6num', 'aut-num'] as const) {
    const query: TypeQuery = { kind: 'terms', type: resource, anyOf, order: 'key' };
    for await (const _page of index.query(source, query, signal)) return true;
  }
  return false;
}
