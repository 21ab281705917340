import type { ObjectTypeName } from './model.js';

/** What a status says of the registration of a network or an AS number. */
export interface RegistrationStatus {
  /** Who gave it: this registry, the holder of the space around it, another registry, or nobody that still does. */
  readonly by: 'registry' | 'holder' | 'elsewhere' | 'legacy';
  /** Whether its holder assigns parts of it, or an end user uses it. */
  readonly kind: 'allocation' | 'assignment';
  /** Whether others than the operator may create objects for what the registry gave. */
  readonly isOpen?: boolean;
  readonly meaning: string;
}

const status = (by: RegistrationStatus['by'], kind: RegistrationStatus['kind'], meaning: string) => ({
  by,
  kind,
  meaning,
});

/** Registration statuses, by type. */
export const statuses = {
  inetnum: {
    'ALLOCATED PA': status('registry', 'allocation', 'allocated to an LIR, which assigns parts of it'),
    'ALLOCATED UNSPECIFIED': status('registry', 'allocation', 'allocated to a registry, or of an unknown kind'),
    'LIR-PARTITIONED PA': status('holder', 'allocation', 'a part of an allocation that the LIR sets aside'),
    'SUB-ALLOCATED PA': status('holder', 'allocation', 'a part of an allocation that a customer assigns further'),
    'AGGREGATED-BY-LIR': status('holder', 'assignment', 'many assignments of one size in one object'),
    'ALLOCATED-ASSIGNED PA': status('registry', 'allocation', 'an allocation that one end user uses as a whole'),
    'ASSIGNED PA': status('holder', 'assignment', 'used by an end user, from an allocation of an LIR'),
    'ASSIGNED PI': {
      ...status('registry', 'assignment', 'used by an end user, independent of a provider'),
      isOpen: true,
    },
    'ASSIGNED ANYCAST': status('registry', 'assignment', 'for anycast name servers'),
    LEGACY: status('legacy', 'assignment', 'allocated before there were regional registries'),
  },
  inet6num: {
    'ALLOCATED-BY-RIR': status('registry', 'allocation', 'allocated to an LIR, which assigns parts of it'),
    'ALLOCATED-BY-LIR': status('holder', 'allocation', 'a part of an allocation that a customer assigns further'),
    'AGGREGATED-BY-LIR': status('holder', 'assignment', 'many assignments of one size in one object'),
    ASSIGNED: status('holder', 'assignment', 'used by an end user, from an allocation of an LIR'),
    'ASSIGNED ANYCAST': status('registry', 'assignment', 'for anycast name servers'),
    'ASSIGNED PI': status('registry', 'assignment', 'used by an end user, independent of a provider'),
  },
  'aut-num': {
    ASSIGNED: status('registry', 'assignment', 'assigned by this registry'),
    LEGACY: status('legacy', 'assignment', 'allocated before there were regional registries'),
    OTHER: status('elsewhere', 'assignment', 'from another registry'),
  },
} satisfies { [type in ObjectTypeName]?: Readonly<Record<string, RegistrationStatus>> };

/** Statuses in upper case, by type. */
export type StatusSets = { readonly [type in ObjectTypeName]?: ReadonlySet<string> } & {
  readonly [type in keyof typeof statuses]: ReadonlySet<string>;
};

/** The statuses that pass a test. */
export function statusesWhere(passes: (status: RegistrationStatus) => boolean): StatusSets {
  const among = (ofType: Readonly<Record<string, RegistrationStatus>>) =>
    new Set(Object.keys(ofType).filter((name) => passes(ofType[name]!)));
  return {
    inetnum: among(statuses.inetnum),
    inet6num: among(statuses.inet6num),
    'aut-num': among(statuses['aut-num']),
  };
}
