import type { RegistryObject } from '@cadastre/proto/registry';

/**
 * Whether an object counts against the limit on personal objects: a person, or a role without abuse-mailbox, of a
 * source of our own (decision R16).
 */
export function isPersonal({ type, source, text }: Pick<RegistryObject, 'type' | 'source' | 'text'>): boolean {
  if (type !== 'person' && type !== 'role') return false;
  return !/-GRS$/i.test(source) && !(type === 'role' && /^abuse-mailbox:/im.test(text));
}
