import { type Attribute, attributeType, type Message, messages, objectType, type RpslObject } from '@cadastre/rpsl';
import { requestMessages } from './request-messages.js';
import type { SubmittedAttribute } from './submission.js';

/** The submitted attributes as an object, short names replaced; or why they are not an object. */
export type SubmittedReading =
  | { readonly ok: true; readonly object: RpslObject; readonly messages: readonly Message[] }
  | { readonly ok: false; readonly messages: readonly Message[] };

export function readSubmitted(submitted: readonly SubmittedAttribute[]): SubmittedReading {
  const first = submitted[0];
  if (first === undefined) {
    return { ok: false, messages: [requestMessages.noAttributes()] };
  }
  const type = objectType(fullName(first.name));
  if (type === undefined) {
    return { ok: false, messages: [requestMessages.invalidType(printable(first.name.slice(0, maxShownName)))] };
  }
  const attributes = submitted.map(readAttribute);
  const shortened = attributes.some((a, index) => a.name !== printable(submitted[index]!.name).toLowerCase());
  return {
    ok: true,
    object: { type: type.name, attributes },
    messages: shortened ? [messages.shortNamesReplaced()] : [],
  };
}

function readAttribute(submitted: SubmittedAttribute): Attribute {
  const [first = '', ...rest] = submitted.value.split(/\r?\n/);
  const raw = [/^\s/.test(first) ? first : ` ${first}`, ...rest.map(continuation)].join('\n');
  return { name: fullName(submitted.name), raw };
}

/**
 * A line that continues a value starts with a space, a tab or a `+`, which is not part of the value, as in RPSL text.
 */
function continuation(line: string): string {
  if (line === '') {
    return '+';
  }
  return /^[ \t+]/.test(line) ? line : ` ${line}`;
}

/** Maximum length of an unknown type in a message. */
const maxShownName = 100;

/** The long name of a known attribute; an unknown one in lower case, as it can be shown. */
function fullName(name: string): string {
  return attributeType(name)?.name ?? printable(name).toLowerCase();
}

/** Replaces characters of an unknown name that are unprintable or look like a new line by `?`. */
function printable(name: string): string {
  return name.replace(/^\+|[^!-9;-~]/g, '?');
}
