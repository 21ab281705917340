// For tests of what holds a resource: objects from their lines.
import type { HolderPolicy } from '../src/holders/policy.js';
import { type Find, type Lineage, type Registered, referenceId } from '../src/holders/registered.js';
import { primaryKey } from '../src/key.js';
import type { RpslObject } from '../src/object.js';
import { parseObject } from '../src/text.js';

/** An object from its lines; the default source is TEST. */
export function registered(...lines: string[]): Registered {
  const text = `${lines.join('\n')}\n`;
  const parsed = parseObject(text);
  if (!parsed.ok) throw new Error(`no object: ${text}`);
  const source = lines.find((line) => line.startsWith('source:'))?.slice('source:'.length) ?? 'TEST';
  return {
    id: { source: source.trim(), type: parsed.object.type, key: shownKey(parsed.object) },
    object: parsed.object,
  };
}

function shownKey(object: RpslObject): string {
  const key = primaryKey(object);
  if ('messages' in key) throw new Error('no key');
  return key.shown;
}

/** Nested objects, the innermost first, each from its lines. */
export function lineage(first: string[], ...enclosing: string[][]): Lineage {
  return [registered(...first), ...enclosing.map((lines) => registered(...lines))];
}

/** Resolves references among these objects. */
export function findAmong(...objects: Registered[]): Find {
  const known = new Map(objects.map((one) => [referenceId(one.id), one]));
  return (reference) => known.get(referenceId(reference));
}

/** The operator manages resources by RS-MNT; the mailbox dead@example.net does not work. */
export const policy: HolderPolicy = {
  mainSource: 'TEST',
  operatorMaintainers: new Set(['rs-mnt']),
  isSuspect: (mailbox) => mailbox === 'dead@example.net',
};
