import {
  type AddressRange,
  contains,
  type ObjectTypeName,
  parseIpv4Prefix,
  parseIpv6Prefix,
  type Resource,
} from '@cadastre/rpsl';
import type { Status } from './documents.js';

/** What the policy of a registry defines about status. */
export interface RdapPolicy {
  /** Addresses and AS numbers for special use: everything inside has the status `reserved`. */
  readonly reserved: readonly Resource[];
  /** Networks with exactly one of these ranges have the status `administrative`, like the root of all addresses. */
  readonly administrative: readonly AddressRange[];
  /** Networks that only divide the space; relations skip them. */
  readonly administrativeStatuses: readonly AdministrativeStatus[];
}

/** Networks of a type with this `status`; if `child` is given, only those with a child of that status on the path. */
export interface AdministrativeStatus {
  readonly type: ObjectTypeName;
  /** In upper case. */
  readonly status: string;
  /** In upper case. */
  readonly child?: string;
}

/** IANA's special-purpose addresses and AS numbers without those for documentation, which examples use. */
const specialIpv4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '224.0.0.0/4',
  '240.0.0.0/4',
];
const specialIpv6 = ['::/8', '100::/64', '2001::/23', '2002::/16', '5f00::/16', 'fc00::/7', 'fe80::/10', 'ff00::/8'];
const specialAsNumbers = [
  [0, 0],
  [23456, 23456],
  [64512, 65535],
  [65552, 131071],
  [4200000000, 4294967295],
] as const;

/** A policy that fits every registry. */
export const defaultPolicy: RdapPolicy = {
  reserved: [
    ...specialIpv4.map((prefix) => parseIpv4Prefix(prefix)!),
    ...specialIpv6.map((prefix) => parseIpv6Prefix(prefix)!),
    ...specialAsNumbers.map(([first, last]) => ({ as: { first, last } })),
  ],
  administrative: [parseIpv4Prefix('0.0.0.0/0')!, parseIpv6Prefix('::/0')!],
  administrativeStatuses: [
    { type: 'inetnum', status: 'ALLOCATED UNSPECIFIED' },
    { type: 'inet6num', status: 'ALLOCATED-BY-RIR', child: 'ALLOCATED-BY-RIR' },
  ],
};

/** The status of a network or AS number. */
export function statusOf(policy: RdapPolicy, resource: Resource): Status {
  if ('family' in resource && policy.administrative.some((block) => isSame(block, resource))) return 'administrative';
  return policy.reserved.some((reserved) => isInside(reserved, resource)) ? 'reserved' : 'active';
}

function isSame(a: AddressRange, b: AddressRange): boolean {
  return a.family === b.family && a.first === b.first && a.last === b.last;
}

function isInside(outer: Resource, inner: Resource): boolean {
  if ('as' in outer) return 'as' in inner && contains(outer.as, inner.as);
  return 'family' in inner && contains(outer, inner);
}

/**
 * Whether a network only divides the space. `child`: the next network on the path from it to the requested one, if
 * there is one.
 */
export function isAdministrative(
  policy: RdapPolicy,
  network: { readonly type: ObjectTypeName; readonly status: string },
  child?: { readonly status: string },
): boolean {
  return policy.administrativeStatuses.some(
    (administrative) =>
      administrative.type === network.type &&
      administrative.status === network.status.toUpperCase() &&
      (administrative.child === undefined || administrative.child === child?.status.toUpperCase()),
  );
}
