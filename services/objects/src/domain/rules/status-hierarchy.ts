import { contains, firstValueOf, type Message, type RpslObject } from '@cadastre/rpsl';
import type { Neighbours } from '../facts.js';
import { nearest } from '../governing.js';
import { numbers } from '../numbers.js';
import type { Rule } from './rule.js';

/** Under what a network of a status may stand. */
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

/** The types of networks whose statuses form a hierarchy. */
export type NetworkType = 'inetnum' | 'inet6num';

const allowedParents: Readonly<Record<NetworkType, AllowedParents>> = {
  inetnum: inetnumParents,
  inet6num: inet6numParents,
};

/** The statuses of a new network, its parent and its children fit one another. */
function statusHierarchy(id: string, type: NetworkType): Rule {
  return {
    id,
    types: [type],
    actions: ['create'],
    profile: 'rir',
    check: ({ object }, { neighbours }) => misfits(type, object, neighbours),
  };
}

export const inetnumHierarchy = statusHierarchy('P-INET-HIER', 'inetnum');
export const inet6numHierarchy = statusHierarchy('P-INET6-HIER', 'inet6num');

/**
 * What does not fit around a network. Children come first; when one does not fit, the parent is not looked at. Without
 * exactly one parent G-RANGE-OVERLAP speaks.
 */
export function misfits(type: NetworkType, object: RpslObject, { enclosing, contained }: Neighbours): Message[] {
  const status = statusOf(object);
  const child = childMisfit(type, status, contained);
  if (child !== undefined) {
    return [child];
  }
  const [parent, ...more] = nearest(enclosing, type);
  return parent === undefined || more.length > 0 || fitsUnder(allowedParents[type], status, enclosing)
    ? []
    : [parentMisfits(type, statusOf(parent))];
}

/** The first child that does not fit under a status. */
export function childMisfit(type: NetworkType, status: string, contained: readonly RpslObject[]): Message | undefined {
  const misfit = firstLevel(contained).find((child) => !fits(allowedParents[type], statusOf(child), status));
  return misfit && childMisfits(status, firstValueOf(misfit, type)!, statusOf(misfit));
}

function fits(parents: AllowedParents, status: string, above: string): boolean {
  return parents[status]?.includes(above) === true;
}

/** Assignments under assignments are tolerated, but not inside of an allocation. */
function fitsUnder(parents: AllowedParents, status: string, enclosing: readonly RpslObject[]): boolean {
  const above = enclosing.map(statusOf);
  if (status === 'ASSIGNED PA' && above[0] === 'ASSIGNED PA') {
    return above.find((one) => registryStatuses.has(one)) !== 'ALLOCATED PA';
  }
  return fits(parents, status, above[0]!);
}

/** Statuses of networks that the registry itself hands out. */
const registryStatuses: ReadonlySet<string> = new Set([
  'ALLOCATED UNSPECIFIED',
  'ALLOCATED PA',
  'ALLOCATED-ASSIGNED PA',
  'ASSIGNED ANYCAST',
]);

/** In upper case; empty when there is none. */
export function statusOf(object: RpslObject): string {
  return (firstValueOf(object, 'status') ?? '').toUpperCase();
}

/** Those that stand inside no other of them. */
function firstLevel(contained: readonly RpslObject[]): RpslObject[] {
  const kept: RpslObject[] = [];
  // Lowest first, and what begins together largest first, so that what encloses one stands before it.
  for (const one of contained.toSorted(byStartAndSize)) {
    const last = kept.at(-1);
    if (last === undefined || !contains(numbers(last)!, numbers(one)!)) {
      kept.push(one);
    }
  }
  return kept;
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
