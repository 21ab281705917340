import { type Attribute, attributeType, type Message, messages, objectType, type RpslObject } from '@cadastre/rpsl';
import { requestMessages } from './request-messages.js';
import type { SubmittedAttribute } from './submission.js';

/** The submitted attributes as an object, short names replaced; or why they are none. */
export type SubmittedReading =
  | { readonly ok: true; readonly object: RpslObject; readonly messages: readonly Message[] }
  | { readonly ok: false; readonly messages: readonly Message[] };

export function readSubmitted(submitted: readonly SubmittedAttribute[]): SubmittedReading {
  const first = submitted[0];
  if (first === undefined) {
    return { ok: false, messages: [requestMessages.noAttributes()] };
  }
  const type = objectType(attributeType(first.name)?.name ?? first.name);
  if (type === undefined) {
    return { ok: false, messages: [requestMessages.invalidType(first.name)] };
  }
  const attributes = submitted.map(readAttribute);
  const shortened = attributes.some((a, index) => a.name !== submitted[index]!.name.toLowerCase());
  return {
    ok: true,
    object: { type: type.name, attributes },
    messages: shortened ? [messages.shortNamesReplaced()] : [],
  };
}

function readAttribute(submitted: SubmittedAttribute): Attribute {
  const name = attributeType(submitted.name)?.name ?? submitted.name.toLowerCase();
  const [first = '', ...rest] = submitted.value.split(/\r?\n/);
  const raw = [/^\s/.test(first) ? first : ` ${first}`, ...rest.map(continuation)].join('\n');
  return { name, raw };
}

/** A line that continues a value starts with a space, a tab, or a `+` that belongs to the layout. */
function continuation(line: string): string {
  if (line === '') {
    return '+';
  }
  return /^(?:[ \t]|\+(?:[ \t]|$))/.test(line) ? line : ` ${line}`;
}

/** Whether every attribute name can stand in a text; a name that cannot is unknown and refused, and not shown. */
export function isPrintable(object: RpslObject): boolean {
  return object.attributes.every((a) => /^[a-z0-9*-]+$/.test(a.name));
}
