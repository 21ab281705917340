import { valuesOf } from '@cadastre/rpsl';
import type { Registered } from './registered.js';

/** The operator's policy on abuse contacts and resource holders. */
export interface Policy {
  /** Name of the main source, upper case: only its objects have abuse contacts. */
  readonly mainSource: string;
  /** The operator's maintainers, lower case. */
  readonly operatorMaintainers: ReadonlySet<string>;
  /** Whether the operator knows that a mailbox does not work. */
  readonly isSuspect: (mailbox: string) => boolean;
}

/** The attributes that `maintainersOf` reads. */
export const maintainerAttributes: readonly string[] = ['mnt-by', 'mnt-lower'];

/** The maintainers of the object and of the space inside it, in lower case. */
export function maintainersOf({ object }: Registered): string[] {
  return maintainerAttributes.flatMap((name) => valuesOf(object, name).map((value) => value.toLowerCase()));
}
