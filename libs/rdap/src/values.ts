import { valuesOf } from '@cadastre/rpsl';
import type { Stored } from './registry.js';

/** The values of an attribute that are not empty, in order. */
export function filledValues({ object }: Stored, attribute: string): string[] {
  return valuesOf(object, attribute).filter((value) => value !== '');
}
