import { valuesOf } from '@cadastre/rpsl';
import type { Registered } from './registered.js';

/** What the operator decides about abuse contacts and resource holders. */
export interface Policy {
  /** Name of the main source, upper case: abuse contacts are known there only. */
  readonly mainSource: string;
  /** Maintainers by which the operator manages resources, lower case. */
  readonly operatorMaintainers: ReadonlySet<string>;
  /** Whether a mailbox is known not to work. */
  readonly isSuspect: (mailbox: string) => boolean;
}

/** The maintainers of the object, and those of the space inside it, in lower case. */
export function maintainersOf({ object }: Registered): string[] {
  return ['mnt-by', 'mnt-lower'].flatMap((name) => valuesOf(object, name).map((value) => value.toLowerCase()));
}
