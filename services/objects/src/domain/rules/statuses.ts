import { contains, firstValueOf, type Message, type RpslObject, statusesWhere } from '@cadastre/rpsl';
import type { RelatedRanges } from '../facts.js';
import { nearest } from '../governing.js';
import { numbers } from '../numbers.js';
import type { Rule } from './rule.js';

/** The statuses that the parent of a network may have, by the status of the network. */
type AllowedParents = Readonly<Record<string, readonly string[]>>;

const inetnumParents: AllowedParents = {
  'ALLOCATED UNSPECIFIED': ['ALLOCATED UNSPECIFIED'],
  'ALLOCATED PA': ['ALLOCATED UNSPECIFIED'],
  'ALLOCATED-ASSIGNED PA': ['ALLOCATED UNSPECIFIED'],
  'LIR-PARTITIONED PA': ['ALLOCATED PA', 'LIR-PARTITIONED PA'],
  'SUB-ALLOCATED PA': ['ALLOCATED PA', 'LIR-PARTITIONED PA', 'SUB-ALLOCATED PA'],
  'AGGREGATED-BY-LIR': ['ALLOCATED PA', 'SUB-ALLOCATED PA', 'LIR-PARTITIONED PA'],
  'ASSIGNED PA': ['ALLOCATED PA', 'LIR-PARTITIONED PA', 'SUB-ALLOCATED PA', 'AGGREGATED-BY-LIR'],
  'ASSIGNED PI': ['ALLOCATED UNSPECIFIED'],
  'ASSIGNED ANYCAST': ['ALLOCATED UNSPECIFIED'],
  LEGACY: ['ALLOCATED UNSPECIFIED', 'LEGACY'],
};

const inet6numParents: AllowedParents = {
  'ALLOCATED-BY-RIR': ['ALLOCATED-BY-RIR'],
  'ALLOCATED-BY-LIR': ['ALLOCATED-BY-RIR', 'ALLOCATED-BY-LIR'],
  'AGGREGATED-BY-LIR': ['ALLOCATED-BY-RIR', 'ALLOCATED-BY-LIR', 'AGGREGATED-BY-LIR'],
  ASSIGNED: ['ALLOCATED-BY-RIR', 'ALLOCATED-BY-LIR', 'AGGREGATED-BY-LIR'],
  'ASSIGNED ANYCAST': ['ALLOCATED-BY-RIR'],
  'ASSIGNED PI': ['ALLOCATED-BY-RIR'],
};

/** Types whose statuses form a hierarchy. */
export type NetworkType = 'inetnum' | 'inet6num';

const allowedParents: Readonly<Record<NetworkType, AllowedParents>> = {
  inetnum: inetnumParents,
  inet6num: inet6numParents,
};

/** The status of a new network matches those of its parent and children. */
function statusHierarchy(id: string, type: NetworkType): Rule {
  return {
    id,
    types: [type],
    actions: ['create'],
    profile: 'rir',
    check: ({ object }, { relatedRanges }) => misfits(type, object, relatedRanges),
  };
}

export const inetnumHierarchy = statusHierarchy('P-INET-HIER', 'inetnum');
export const inet6numHierarchy = statusHierarchy('P-INET6-HIER', 'inet6num');

/**
 * The first relative whose status does not match: children first, then the parent. Without exactly one parent,
 * G-RANGE-OVERLAP refuses the network.
 */
function misfits(type: NetworkType, object: RpslObject, { enclosing, contained }: RelatedRanges): Message[] {
  const status = statusOf(object);
  const child = childMisfit(type, status, contained);
  if (child !== undefined) return [child];
  const [parent, ...more] = nearest(enclosing, type);
  return parent === undefined || more.length > 0 || fitsUnder(allowedParents[type], status, enclosing)
    ? []
    : [parentMisfits(type, statusOf(parent))];
}

/** The error for the first child whose status is not allowed under this one. */
function childMisfit(type: NetworkType, status: string, contained: readonly RpslObject[]): Message | undefined {
  const misfit = firstLevel(contained).find((child) => !fits(allowedParents[type], statusOf(child), status));
  return misfit && childMisfits(status, firstValueOf(misfit, type)!, statusOf(misfit));
}

function fits(parents: AllowedParents, status: string, above: string): boolean {
  return parents[status]?.includes(above) === true;
}

/** ASSIGNED PA may be under ASSIGNED PA, except inside ALLOCATED PA. */
function fitsUnder(parents: AllowedParents, status: string, enclosing: readonly RpslObject[]): boolean {
  const above = enclosing.map(statusOf);
  if (status === 'ASSIGNED PA' && above[0] === 'ASSIGNED PA') {
    return above.find((one) => registryStatuses.inetnum.has(one)) !== 'ALLOCATED PA';
  }
  return fits(parents, status, above[0]!);
}

/** Statuses of networks that only the registry operator assigns. */
export const registryStatuses = statusesWhere(({ by, isOpen }) => by === 'registry' && !isOpen);

/** The `status` in upper case; empty when there is none. */
export function statusOf(object: RpslObject): string {
  return (firstValueOf(object, 'status') ?? '').toUpperCase();
}

/** The networks that no other of them encloses. */
function firstLevel(contained: readonly RpslObject[]): RpslObject[] {
  const remaining: RpslObject[] = [];
  // Sort by start, larger first, so that an enclosing network precedes what it encloses.
  for (const one of contained.toSorted(byStartAndSize)) {
    const last = remaining.at(-1);
    if (last === undefined || !contains(numbers(last)!, numbers(one)!)) remaining.push(one);
  }
  return remaining;
}

function byStartAndSize(a: RpslObject, b: RpslObject): number {
  const [left, right] = [numbers(a)!, numbers(b)!];
  return Number(left.first > right.first) - Number(left.first < right.first) || (left.last > right.last ? -1 : 1);
}

function childMisfits(status: string, child: string, childStatus: string): Message {
  const text = "Status %s not allowed when more specific object '%s' has status %s";
  return { severity: 'error', text, args: [status, child, childStatus] };
}

function parentMisfits(type: NetworkType, status: string): Message {
  return { severity: 'error', text: '%s parent has incorrect status: %s', args: [type, status] };
}

/** A status cannot change, because the hierarchy was checked with it. */
function statusChange(id: string, type: NetworkType): Rule {
  return {
    id,
    types: [type],
    actions: ['modify'],
    profile: 'rir',
    check: ({ object, stored }) =>
      stored === undefined || statusOf(stored) === statusOf(object) || isSwitch(stored, object) ? [] : [unchangeable()],
  };
}

export const inetnumStatusChange = statusChange('P-INET-CHANGE', 'inetnum');
export const inet6numStatusChange = statusChange('P-INET6-CHANGE', 'inet6num');

/** ALLOCATED PA may become ALLOCATED-ASSIGNED PA and back, if parent and children still match. */
export const inetnumSwitch: Rule = {
  id: 'P-INET-SWITCH',
  types: ['inetnum'],
  actions: ['modify'],
  profile: 'rir',
  check: ({ object, stored }, { relatedRanges }) =>
    stored !== undefined && isSwitch(stored, object) ? misfits('inetnum', object, relatedRanges) : [],
};

const switchable: readonly string[] = ['ALLOCATED PA', 'ALLOCATED-ASSIGNED PA'];

/** Whether a modification is the one allowed change of status. */
export function isSwitch(stored: RpslObject, object: RpslObject): boolean {
  const statuses = [statusOf(stored), statusOf(object)];
  return object.type === 'inetnum' && switchable.every((status) => statuses.includes(status));
}

function unchangeable(): Message {
  return {
    severity: 'error',
    text: 'status value cannot be changed, you must delete and re-create the object',
    args: [],
  };
}

/** Warns when the children of a deleted network are not allowed under its parent. */
export const inetnumDeletion: Rule = {
  id: 'P-INET-DELETE',
  types: ['inetnum'],
  actions: ['delete'],
  profile: 'rir',
  isPrivate: true,
  check: (_change, { relatedRanges: { enclosing, contained } }) => {
    const [parent] = nearest(enclosing, 'inetnum');
    const misfit = parent && childMisfit('inetnum', statusOf(parent), contained);
    return misfit === undefined ? [] : [{ ...misfit, severity: 'warning' }];
  },
};
