import type { AddressRange, ObjectTypeName, Resource } from '@cadastre/rpsl';

/** What one registry's policy says about status. */
export interface RdapPolicy {
  /** Addresses and AS numbers for special use: what lies inside has the status `reserved`. */
  readonly reserved: readonly Resource[];
  /** Networks that are exactly one of these have the status `administrative`, like the root of all addresses. */
  readonly administrative: readonly AddressRange[];
  /** Networks that only divide the space; relations skip them. */
  readonly administrativeStatuses: readonly AdministrativeStatus[];
}

/** Networks of a type with this `status`, and, if `child` is given, only those with such a child on the path. */
export interface AdministrativeStatus {
  readonly type: ObjectTypeName;
  /** In upper case. */
  readonly status: string;
  readonly child?: string;
}

/** The policy of IANA's registries of special numbers, without those for documentation. */
export const defaultPolicy: RdapPolicy = {
  reserved: [],
  administrative: [],
  administrativeStatuses: [
    { type: 'inetnum', status: 'ALLOCATED UNSPECIFIED' },
    { type: 'inet6num', status: 'ALLOCATED-BY-RIR', child: 'ALLOCATED-BY-RIR' },
  ],
};

/** Whether a network only divides the space. `child`: the next object on the path from it to the asked one, if any. */
export function isAdministrative(
  policy: RdapPolicy,
  network: { readonly type: ObjectTypeName; readonly status: string },
  child?: { readonly status: string },
): boolean {
  return policy.administrativeStatuses.some(
    ({ type, status, child: childStatus }) =>
      type === network.type &&
      status === network.status.toUpperCase() &&
      (childStatus === undefined || childStatus === child?.status.toUpperCase()),
  );
}
