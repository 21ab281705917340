import { valuesOf } from '../value.js';
import type { Registered } from './registered.js';

/** The operator's policy on abuse contacts and resource holders. */
export interface HolderPolicy {
  /** Name of the main source, upper case: only its objects have abuse contacts. */
  readonly mainSource: string;
  /** The operator's maintainers, lower case. */
  readonly operatorMaintainers: ReadonlySet<string>;
  /** Whether the operator knows that a mailbox does not work. */
  readonly isSuspect: (mailbox: string) => boolean;
}

/** The policy that the settings of a service describe. */
export function holderPolicy(settings: {
  readonly source: string;
  readonly operatorMaintainers: readonly string[];
  readonly suspectMailboxes: readonly string[];
}): HolderPolicy {
  const suspect = new Set(settings.suspectMailboxes.map((mailbox) => mailbox.toLowerCase()));
  return {
    mainSource: settings.source.toUpperCase(),
    operatorMaintainers: new Set(settings.operatorMaintainers.map((name) => name.toLowerCase())),
    isSuspect: (mailbox) => suspect.has(mailbox.toLowerCase()),
  };
}

/** The attributes that `maintainersOf` reads. */
export const maintainerAttributes: readonly string[] = ['mnt-by', 'mnt-lower'];

/** The maintainers of the object and of the space inside it, in lower case. */
export function maintainersOf({ object }: Registered): string[] {
  return maintainerAttributes.flatMap((name) => valuesOf(object, name).map((value) => value.toLowerCase()));
}
