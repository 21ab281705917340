import { parseObject, primaryKey, samples } from '@cadastre/rpsl';
import { relatedKey } from './contacts.js';
import { defaultPolicy } from './policy.js';
import type { Asked, Registry, Related, Stored } from './registry.js';

export const registry: Registry = {
  base: 'https://r.example/rdap',
  restBase: 'https://r.example',
  termsUrl: 'https://r.example/terms',
  inaccuracyUrl: 'https://r.example/report',
  port43: 'whois.r.example',
  policy: defaultPolicy,
};

export const asked: Asked = { url: 'https://r.example/rdap/ip/192.0.2.7' };

/** An object as found in the registry. */
export function storedOf(text: string, source = 'TEST'): Stored {
  const parsed = parseObject(text);
  if (!parsed.ok) throw new Error(`no object: ${text}`);
  const key = primaryKey(parsed.object);
  if (!('shown' in key)) throw new Error(`no key: ${text}`);
  return { source, key: key.shown, object: parsed.object };
}

/** Contacts by handle, and an abuse contact. */
export function relatedOf(contacts: readonly Stored[], abuse?: Stored): Related {
  const objects = new Map(contacts.map((one) => [relatedKey(one.object.type, one.key), one]));
  return { objects, ...(abuse && { abuse }) };
}

const { person, role, organisation, mntner, irt } = samples;

/** The contacts of the samples. */
export const contacts = { person, role, organisation, mntner, irt };
export const role1 = storedOf(role);
export const related = relatedOf(
  [person, role, organisation, mntner, irt].map((text) => storedOf(text)),
  role1,
);

/** The text of an object with these attributes. */
export function textOf(attributes: readonly (readonly [name: string, value: string])[]): string {
  return attributes.map(([name, value]) => `${`${name}:`.padEnd(16)}${value}\n`).join('');
}
