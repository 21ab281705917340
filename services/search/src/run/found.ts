import { parseObject, type RpslObject } from '@cadastre/rpsl';
import type { IndexedObject } from '../index-port.js';

/** An object of a result. */
export interface Found {
  readonly stored: IndexedObject;
  readonly object: RpslObject;
  /** Found as related to another object. */
  readonly related: boolean;
}

/** Undefined for a text that cannot be read, which the index does not contain. */
export function found(stored: IndexedObject, related: boolean): Found | undefined {
  const parsed = parseObject(stored.text);
  return parsed.ok ? { stored, object: parsed.object, related } : undefined;
}
