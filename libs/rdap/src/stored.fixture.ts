import { parseObject, primaryKey, samples } from '@cadastre/rpsl';
import { relatedKey } from './contacts.js';
import { defaultPolicy } from './policy.js';
import type { Registry, Related, Requested, Stored } from './registry.js';

export const registry: Registry = {
  base: 'https://r.example/rdap',
  restBase: 'https://r.example',
  policy: defaultPolicy,
};

export const requested: Requested = { url: 'https://r.example/rdap/asked' };

/** An object as lookups find it. */
export function storedOf(text: string): Stored {
  const parsed = parseObject(text);
  if (!parsed.ok) throw new Error(`no object: ${text}`);
  const key = primaryKey(parsed.object);
  if (!('shown' in key)) throw new Error(`no key: ${text}`);
  return { source: 'TEST', key: key.shown, object: parsed.object };
}

/** An object with these lines, `name: value`. */
export function storedLines(...lines: readonly string[]): Stored {
  return storedOf(`${lines.join('\n')}\n`);
}

/** What a document shows of contacts. */
export function relatedOf(contacts: readonly Stored[], abuse?: Stored): Related {
  const objects = new Map(contacts.map((one) => [relatedKey(one.object.type, one.key), one]));
  return { objects, ...(abuse && { abuse }) };
}

/** The contacts among the samples; the role is the abuse contact. */
export const sampleContacts: Related = relatedOf(
  [samples.person, samples.role, samples.organisation, samples.mntner, samples.irt].map(storedOf),
  storedOf(samples.role),
);

/** A document as clients parse it. */
export function asJson(document: unknown): Record<string, unknown> {
  return JSON.parse(JSON.stringify(document));
}
