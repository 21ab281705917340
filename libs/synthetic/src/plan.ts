import type { ObjectTypeName } from '@cadastre/rpsl';
import type { Counts } from './counts.js';
import { objectMakers } from './object-makers.js';
import { enclosingInet6num, inet6numKey } from './objects/inet6num.js';
import { enclosingInetnum, inetnumKey } from './objects/inetnum.js';
import { type RegistryOptions, registryOf } from './registry.js';

/** The content of a generated registry, without generating it. Objects of a type are numbered from 0. */
export interface RegistryPlan {
  /** Upper case, as in the objects. */
  readonly source: string;
  readonly counts: Counts;
  /** Shown primary key; throws a RangeError for a number outside the registry. */
  key(type: ObjectTypeName, index: number): string;
  /** The object in stored text form, with its final newline. */
  text(type: ObjectTypeName, index: number): string;
  /** Key of the smallest enclosing object of the same type; undefined for the root, object 0. */
  enclosing(type: 'inetnum' | 'inet6num', index: number): string | undefined;
}

export function registryPlan(options: RegistryOptions): RegistryPlan {
  const registry = registryOf(options);
  const { counts } = registry;
  const checked = (type: ObjectTypeName, index: number): number => {
    if (!(Number.isInteger(index) && index >= 0 && index < counts[type])) {
      throw new RangeError(`There are ${counts[type]} objects of type ${type}: no number ${index}`);
    }
    return index;
  };
  return {
    source: registry.source,
    counts,
    key: (type, index) => objectMakers[type].key(registry, checked(type, index)),
    text: (type, index) => objectMakers[type].text(registry, checked(type, index)),
    enclosing: (type, index) => {
      const isIpv4 = type === 'inetnum';
      const outer = (isIpv4 ? enclosingInetnum : enclosingInet6num)(registry, checked(type, index));
      return outer === undefined ? undefined : (isIpv4 ? inetnumKey : inet6numKey)(registry, outer);
    },
  };
}
