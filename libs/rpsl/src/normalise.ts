import { withoutTrailingDot } from './domain-name.js';
import { formatIpv4, formatIpv4Range, parseIpv4, parseIpv4Prefix, parseIpv4Range } from './ipv4.js';
import { formatIpv6, parseIpv6, parseIpv6Prefix } from './ipv6.js';
import { lineText } from './layout.js';
import type { Message } from './message.js';
import { messages } from './messages.js';
import type { Attribute, RpslObject } from './object.js';
import { formatPrefix } from './resource.js';
import { objectType } from './types.js';
import { cleanValue, replaceValue } from './value.js';

/** The canonical text of a clean value, or undefined for an invalid value, which the syntax check reports. */
type Canonical = (value: string) => string | undefined;

const canonicalForms: ReadonlyMap<string, Canonical> = new Map<string, Canonical>([
  ['inetnum', inetnumForm],
  ['inet6num', prefix6Form],
  ['route', routeForm],
  ['route6', (value) => (value.includes('/') ? prefix6Form(value) : undefined)],
  ['domain', withoutTrailingDot],
  ['inet-rtr', withoutTrailingDot],
  ['alias', withoutTrailingDot],
  ['nserver', nameServerForm],
  ['ds-rdata', signerForm],
  ['source', upperCase],
  ['status', upperCase],
]);

/**
 * Normalises keys and other values with a canonical form; each change causes an info.
 * Normalising a normalised object changes nothing.
 */
export function normalise(o: RpslObject): { object: RpslObject; messages: Message[] } {
  const keyNames: readonly string[] = objectType(o.type)!.keyAttributes;
  const notices: Message[] = [];
  const attributes = o.attributes.map((attribute, index) => {
    const isKey = index === 0 || keyNames.includes(attribute.name);
    const changed = isKey ? normaliseKeyAttribute(attribute) : normaliseValue(attribute);
    notices.push(...changed.notices.map((notice) => notice({ attribute: changed.attribute, index })));
    return changed.attribute;
  });
  return { object: { type: o.type, attributes }, messages: notices };
}

type Notice = (place: { attribute: Attribute; index: number }) => Message;

interface Normalised {
  readonly attribute: Attribute;
  readonly notices: readonly Notice[];
}

/** Key attributes are on one line; a comment moves to its end. */
function normaliseKeyAttribute(a: Attribute): Normalised {
  const notices: Notice[] = [];
  if (a.raw.includes('\n')) notices.push(messages.continuationRemoved);
  if (a.raw.includes('#')) notices.push(messages.keyComment);
  const value = canonicalValue(a, notices);
  const attribute = replaceValue(a, value);
  return { attribute: attribute.raw.trim() === lineText(a.raw.trim(), 0) ? a : attribute, notices };
}

function normaliseValue(a: Attribute): Normalised {
  if (!canonicalForms.has(a.name)) return { attribute: a, notices: [] };
  const notices: Notice[] = [];
  const value = canonicalValue(a, notices);
  return { attribute: notices.length === 0 ? a : replaceValue(a, value), notices };
}

function canonicalValue(a: Attribute, notices: Notice[]): string {
  const written = cleanValue(a);
  const value = canonicalForms.get(a.name)?.(written) ?? written;
  if (value !== written) notices.push((place) => messages.valueConverted(written, value, place));
  return value;
}

function inetnumForm(value: string): string | undefined {
  const range = parseIpv4Range(value);
  return range && formatIpv4Range(range);
}

function routeForm(value: string): string | undefined {
  const range = parseIpv4Prefix(value);
  return range && formatPrefix(range);
}

function prefix6Form(value: string): string | undefined {
  const range = parseIpv6Prefix(value);
  return range && formatPrefix(range);
}

function upperCase(value: string): string {
  return value.toUpperCase();
}

/** Host without trailing dot, glue address canonical and without length. */
function nameServerForm(value: string): string | undefined {
  const [host = '', glue, ...rest] = value.split(' ');
  if (glue === undefined) return withoutTrailingDot(host);
  const address = rest.length === 0 ? canonicalAddress(glue) : undefined;
  return address && `${withoutTrailingDot(host)} ${address}`;
}

function canonicalAddress(text: string): string | undefined {
  if (text.includes(':')) {
    const address = parseIpv6(text.endsWith('/128') ? text.slice(0, -4) : text);
    return address === undefined ? undefined : formatIpv6(address);
  }
  const address = parseIpv4(text.endsWith('/32') ? text.slice(0, -3) : text);
  return address === undefined ? undefined : formatIpv4(address);
}

/** `keytag algorithm type digest` with the digest in one piece. */
function signerForm(value: string): string | undefined {
  const match = /^([0-9]+) ([0-9]+) ([0-9]+) ([0-9a-f() ]+)$/i.exec(value);
  return match ? `${match[1]} ${match[2]} ${match[3]} ${match[4]!.replace(/[() ]/g, '')}` : undefined;
}
