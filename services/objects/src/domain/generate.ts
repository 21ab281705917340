import { timeText } from '@cadastre/changes';
import {
  type Attribute,
  allOf,
  cleanValue,
  firstValueOf,
  type Message,
  messages,
  type RpslObject,
} from '@cadastre/rpsl';
import type { CertificateFacts } from './certificates/material.js';
import type { Change } from './change.js';

/** An object with the generated attributes, and a warning for each one that the client supplied. */
interface Generated {
  readonly object: RpslObject;
  readonly messages: readonly Message[];
}

/** The attributes that the registry generates for a key. */
type KeyDescription = Pick<CertificateFacts, 'method' | 'owners' | 'fingerprint'>;

/** Generates the attributes that the registry writes itself (rules G-TIMESTAMPS, G-KEYCERT-GEN). */
export function generate(change: Change, certificate: KeyDescription | undefined, now: Date): Generated {
  const certified =
    certificate === undefined ? { object: change.object, messages: [] } : describeKey(change.object, certificate);
  const stamped = stamp(certified.object, change.stored, now);
  return { object: stamped.object, messages: [...certified.messages, ...stamped.messages] };
}

/** A new object is created now; an existing one keeps its `created`, or has none if the time is unknown. */
function stamp(object: RpslObject, stored: RpslObject | undefined, now: Date): Generated {
  const created = stored === undefined ? timeText(now) : firstValueOf(stored, 'created');
  const values = {
    created: created === undefined ? [] : [created],
    'last-modified': [timeText(now)],
  };
  return replaceGenerated(object, values, (rest) => {
    const source = rest.findIndex((a) => a.name === 'source');
    return source < 0 ? rest.length : source;
  });
}

/** `method`, `owner` and `fingerpr` follow the name of the key. */
function describeKey(object: RpslObject, facts: KeyDescription): Generated {
  const values = { method: [facts.method], owner: facts.owners, fingerpr: [facts.fingerprint] };
  return replaceGenerated(object, values, (rest) => rest.findIndex((a) => a.name === 'key-cert') + 1);
}

/** Removes the attributes of these names and inserts the generated ones together. */
function replaceGenerated(
  object: RpslObject,
  values: Readonly<Record<string, readonly string[]>>,
  place: (rest: readonly Attribute[]) => number,
): Generated {
  const names = Object.keys(values);
  const rest = object.attributes.filter((a) => !names.includes(a.name));
  const generated = names.flatMap((name) => values[name]!.map((value) => ({ name, raw: ` ${value}` })));
  const replaced = names.filter((name) => isDifferent(allOf(object, name).map(cleanValue), values[name]!));
  return {
    object: { type: object.type, attributes: rest.toSpliced(place(rest), 0, ...generated) },
    messages: replaced.map((name) => messages.generatedReplaced(name)),
  };
}

/** Supplied values that differ from the generated ones, ignoring line breaks and spacing. */
function isDifferent(supplied: readonly string[], values: readonly string[]): boolean {
  const squeeze = (value: string) => value.replace(/\s+/g, ' ');
  return supplied.length > 0 && supplied.join('\n') !== values.map(squeeze).join('\n');
}
