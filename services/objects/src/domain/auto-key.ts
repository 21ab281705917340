import { firstValueOf, type Message, messages, type ObjectTypeName } from '@cadastre/rpsl';
import { certificateKind } from './certificates/material.js';
import type { PreparedWrite } from './change.js';
import { places } from './places.js';
import type { Policy } from './policy.js';

/** Kinds of keys that the registry assigns: rules G-AUTO-NICHDL, G-AUTO-ORG and G-AUTO-X509. */
type HandleKind = 'nic-hdl' | 'organisation' | 'x509';

/** How a new object gets its key. */
export type KeyClaim =
  /** Its name is its key. */
  | { readonly kind: 'none' }
  | { readonly kind: 'allocate'; readonly handle: HandleKind; readonly placeholder: string; readonly initials: string }
  /** It has a handle, which must never have been used. */
  | { readonly kind: 'reserve'; readonly refusal: Message }
  | { readonly kind: 'refuse'; readonly message: Message };

const keyAttributes: { readonly [type in ObjectTypeName]?: { readonly name: string; readonly handle: HandleKind } } = {
  person: { name: 'nic-hdl', handle: 'nic-hdl' },
  role: { name: 'nic-hdl', handle: 'nic-hdl' },
  organisation: { name: 'organisation', handle: 'organisation' },
  'key-cert': { name: 'key-cert', handle: 'x509' },
};

/** The key attribute of a type whose keys the registry can assign; undefined for other types. */
export function autoKeyAttribute(type: ObjectTypeName): string | undefined {
  return keyAttributes[type]?.name;
}

/** The `auto-n` part of a placeholder (AUTO-1AB); undefined for other values. */
export function placeholder(value: string): string | undefined {
  return /^auto-\d+/i.exec(value)?.[0].toLowerCase();
}

/** The `auto-n` of a reference to one of these types. Other types have none: a mntner may be called AUTO-1-MNT. */
export function referredPlaceholder(types: readonly ObjectTypeName[], value: string): string | undefined {
  return types.some((type) => keyAttributes[type] !== undefined) ? placeholder(value) : undefined;
}

/** Whether the object requests an assigned key. */
export function hasAutoKey(type: ObjectTypeName, key: string): boolean {
  return keyAttributes[type] !== undefined && placeholder(key) !== undefined;
}

/** Decides how the object of a write gets its key, from the key that it submits. */
export function keyClaim(prepared: PreparedWrite, source: string, policy: Policy): KeyClaim {
  const attribute = keyAttributes[prepared.type];
  if (prepared.verb !== 'create' || attribute === undefined) return { kind: 'none' };
  const place = places(prepared.object, attribute.name)[0]!;
  const value = prepared.key.shown;
  const known = placeholder(value);
  if (known !== undefined) {
    return attribute.handle === 'x509' && certificateKind(prepared.object) === 'pgp'
      ? { kind: 'refuse', message: messages.autoNotForPgp(place) }
      : { kind: 'allocate', handle: attribute.handle, placeholder: known, initials: initialsFor(prepared) };
  }
  if (attribute.handle === 'nic-hdl') {
    return isOwnForm(value, source, policy)
      ? { kind: 'reserve', refusal: messages.handleTaken(value, place) }
      : { kind: 'refuse', message: messages.syntaxError(value, place) };
  }
  return attribute.handle === 'x509' && /^pgpkey-/i.test(value)
    ? { kind: 'none' }
    : { kind: 'refuse', message: messages.autoKeyRequired(value, place) };
}

/** A fixed nic-hdl names its registry: this source, another known one, or a country. */
function isOwnForm(handle: string, source: string, policy: Policy): boolean {
  const match = /^[a-z]{1,4}\d*(?:-(.+))?$/i.exec(handle);
  const suffix = match?.[1]?.toUpperCase();
  return (
    match !== null &&
    (suffix === undefined || suffix === source || policy.handleSuffixes.has(suffix) || policy.countries.has(suffix))
  );
}

function initialsFor({ object, key }: PreparedWrite): string {
  const given = /^auto-\d+([a-z]+)$/i.exec(key.shown)?.[1];
  const name = firstValueOf(object, object.type === 'organisation' ? 'org-name' : object.type) ?? '';
  return given === undefined ? initials(name) : given.toUpperCase();
}

/** First letters of up to four words that start with a letter, at least two: "Jane van Doe 3rd" gives "JVD". */
export function initials(name: string): string {
  const letters = name.split(' ').flatMap((word) => /^[a-z]/i.exec(word)?.[0] ?? []);
  return letters.slice(0, 4).join('').toUpperCase().padEnd(2, 'A');
}
