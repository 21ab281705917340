import { readFileSync } from 'node:fs';
import { isPublicKey, isRecord } from '@cadastre/nrtm';
import type { ReadOrigin } from '../origin.js';
import { classesFaults, classesOf, flagFaults, sourceFaults, unknownFaults, urlFaults } from '../origin-members.js';
import { nrtm4Origin } from './origin.js';

const members = ['url', 'source', 'key', 'classes', 'ownNetwork'];

/**
 * Reads `{"url", "source", "key", "classes"?, "ownNetwork"?}`: the URL of an Update Notification File (https or file;
 * also http with `ownNetwork`), the source's name there, the first public key (PEM, or a file that has it), the classes
 * to follow (default "all"), and whether the origin is in the operator's own network.
 */
export const readNrtm4Origin: ReadOrigin = (given) => {
  if (!isRecord(given)) return { ok: false, faults: ['must be an object'] };
  const { url, source, key, classes = 'all', ownNetwork = false, ...others } = given;
  const faults = [
    ...unknownFaults(others, members),
    ...urlFaults('url', url, ownNetwork === true),
    ...sourceFaults(source),
    ...classesFaults(classes),
    ...flagFaults('ownNetwork', ownNetwork),
  ];
  const pem = typeof key === 'string' ? pemOf(key) : undefined;
  if (pem === undefined) faults.push('key: must be a public key (PEM, P-256) or a file that has one');
  if (faults.length > 0 || pem === undefined) return { ok: false, faults };
  const reach = { ownNetwork: ownNetwork === true };
  const named = { url: new URL(url as string), source: source as string, key: pem };
  return { ok: true, value: nrtm4Origin({ ...named, classes: classesOf(classes), reach }) };
};

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
