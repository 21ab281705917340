import { readFileSync } from 'node:fs';
import { isPublicKey } from '@cadastre/nrtm';
import type { ReadOrigin } from '../origin.js';
import { nrtm4Origin } from './origin.js';

const members = ['url', 'source', 'key', 'ownNetwork'];

/**
 * Reads `{"url", "source", "key", "ownNetwork"?}`: the URL of an Update Notification File (https or file; also http with
 * `ownNetwork`), the source's name there, the public key to begin with (PEM, or a file that has it), and whether the
 * origin stands in the operator's own network.
 */
export const readNrtm4Origin: ReadOrigin = (value) => {
  if (typeof value !== 'object' || value === null) return { ok: false, faults: ['must be an object'] };
  const { url, source, key, ownNetwork = false, ...others } = value as Record<string, unknown>;
  const faults = [
    ...Object.keys(others).map((name) => `${name}: is none of ${members.join(', ')}`),
    ...urlFaults(url, ownNetwork === true),
    ...(typeof source === 'string' && /^[A-Za-z][\w-]{0,79}$/.test(source)
      ? []
      : ['source: must be the name of a source']),
    ...(typeof ownNetwork === 'boolean' ? [] : ['ownNetwork: must be true or false']),
  ];
  const pem = typeof key === 'string' ? pemOf(key) : undefined;
  if (pem === undefined) faults.push('key: must be a public key (PEM, P-256) or a file that has one');
  if (faults.length > 0 || pem === undefined) return { ok: false, faults };
  const reach = { ownNetwork: ownNetwork === true };
  return { ok: true, value: nrtm4Origin({ url: new URL(url as string), source: source as string, key: pem, reach }) };
};

function urlFaults(text: unknown, ownNetwork: boolean): string[] {
  const url = typeof text === 'string' ? URL.parse(text) : null;
  const allowed = ownNetwork ? ['https:', 'file:', 'http:'] : ['https:', 'file:'];
  if (url === null || !allowed.includes(url.protocol)) {
    return ['url: must be an https or file URL (http only with "ownNetwork")'];
  }
  return url.username || url.password ? ['url: must not hold credentials'] : [];
}

function pemOf(key: string): string | undefined {
  const text = key.trimStart().startsWith('-----BEGIN') ? key : readFileOrNothing(key);
  return text !== undefined && isPublicKey(text) ? text : undefined;
}

function readFileOrNothing(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
