import type { RegistryObject } from '@cadastre/proto/registry';
import { parseObject } from '@cadastre/rpsl';
import type { Registered } from '../domain/registered.js';

/** An object as the objects service answers it. */
export function readRegistered({ source, type, key, text }: RegistryObject): Registered {
  const parsed = parseObject(text);
  if (!parsed.ok) throw new Error(`${source} ${type} ${key} can not be read`);
  return { id: { source, type, key }, object: parsed.object };
}
