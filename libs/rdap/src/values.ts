import { listValues } from '@cadastre/rpsl';
import type { Stored } from './registry.js';

/** The values of an attribute that are not empty, in order. */
export function filledValues({ object }: Stored, name: string): string[] {
  const values: string[] = [];
  for (const attribute of object.attributes) {
    if (attribute.name !== name) continue;
    for (const value of listValues(attribute)) if (value !== '') values.push(value);
  }
  return values;
}
