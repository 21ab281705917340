import { contains, firstValueOf, type Message, type ObjectTypeName, type RpslObject } from '@cadastre/rpsl';
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

/**
 * The statuses of a new network, its parent and its children fit one another. Children come first; when one does not
 * fit, the parent is not looked at. Without exactly one parent G-RANGE-OVERLAP speaks.
 */
function statusHierarchy(id: string, type: ObjectTypeName, parents: AllowedParents): Rule {
  return {
    id,
    types: [type],
    actions: ['create'],
    profile: 'rir',
    check: ({ object }, { neighbours: { enclosing, contained } }) => {
      const status = statusOf(object);
      const misfit = firstLevel(contained).find((child) => !fits(parents, statusOf(child), status));
      if (misfit !== undefined) {
        return [childMisfits(status, firstValueOf(misfit, type)!, statusOf(misfit))];
      }
      const [parent, ...more] = nearest(enclosing, type);
      return parent === undefined || more.length > 0 || fitsUnder(parents, status, enclosing)
        ? []
        : [parentMisfits(type, statusOf(parent))];
    },
  };
}

export const inetnumHierarchy = statusHierarchy('P-INET-HIER', 'inetnum', inetnumParents);
export const inet6numHierarchy = statusHierarchy('P-INET6-HIER', 'inet6num', inet6numParents);

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

function statusOf(object: RpslObject): string {
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

function parentMisfits(type: ObjectTypeName, status: string): Message {
  return { severity: 'error', text: '%s parent has incorrect status: %s', args: [type, status] };
}
