import { domainToASCII } from 'node:url';
import type { Message } from './message.js';
import { messages } from './messages.js';
import type { Attribute, RpslObject } from './object.js';
import { cleanValue } from './value.js';

const noBreakSpace = 0xa0;
const softHyphen = 0xad;
const lastLatin1 = 0xff;

/** Attributes that hold an e-mail address, whose domain may be written in other alphabets (rule G-PUNYCODE). */
const emailAttributes: ReadonlySet<string> = new Set([
  'abuse-mailbox',
  'e-mail',
  'irt-nfy',
  'mnt-nfy',
  'notify',
  'ref-nfy',
  'upd-to',
]);

/**
 * The text in the characters that can be stored (decision F5): a character outside latin-1 becomes `?`, the no-break
 * space a space, the soft hyphen `-`. `replaced` counts them. Control characters stay.
 */
export function toLatin1(text: string): { text: string; replaced: number } {
  let replaced = 0;
  let converted = '';
  let kept = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < noBreakSpace) {
      continue;
    }
    const substitute = substituteOf(code);
    if (substitute !== undefined) {
      converted += text.slice(kept, at) + substitute;
      at += isPair(text, at) ? 1 : 0;
      kept = at + 1;
      replaced++;
    }
  }
  return replaced === 0 ? { text, replaced } : { text: converted + text.slice(kept), replaced };
}

/** The object in latin-1, with one warning for each attribute that had to be changed. */
export function convertObject(o: RpslObject): { object: RpslObject; messages: Message[] } {
  const notices: Message[] = [];
  const attributes = o.attributes.map((given, index) => {
    const ascii = withAsciiDomains(given);
    const { text, replaced } = toLatin1(ascii.raw);
    const attribute = replaced === 0 ? ascii : { name: ascii.name, raw: text };
    if (ascii !== given) {
      notices.push(messages.punycode({ attribute, index }));
    }
    if (attribute !== ascii) {
      notices.push(messages.latin1Converted(attribute.name, cleanValue(attribute), { attribute, index }));
    }
    return attribute;
  });
  return { object: { type: o.type, attributes }, messages: notices };
}

/** One error for each attribute with a control character other than tab, LF and CR (decision F5). */
export function controlCharacters(o: RpslObject): Message[] {
  return o.attributes.flatMap((a, index) => {
    if (!hasControlCharacter(a.raw)) {
      return [];
    }
    // The message must not carry them on into logs and documents.
    const attribute = { name: a.name, raw: withoutControlCharacters(a.raw) };
    return messages.syntaxErrorBecause(cleanValue(attribute), 'control characters are not allowed', {
      attribute,
      index,
    });
  });
}

function substituteOf(code: number): string | undefined {
  if (code === noBreakSpace) {
    return ' ';
  }
  if (code === softHyphen) {
    return '-';
  }
  return code > lastLatin1 ? '?' : undefined;
}

function isPair(text: string, at: number): boolean {
  return text.codePointAt(at)! > 0xffff;
}

function withAsciiDomains(a: Attribute): Attribute {
  if (!emailAttributes.has(a.name)) {
    return a;
  }
  const raw = a.raw.replace(/@[^\s@<>,;#]+/g, asciiDomain);
  return raw === a.raw ? a : { name: a.name, raw };
}

/** `@` and a domain: in punycode when it is not ASCII; as it is when that cannot be done. */
function asciiDomain(part: string): string {
  const domain = part.slice(1);
  const isAscii = Buffer.byteLength(domain) === domain.length;
  return isAscii ? part : `@${domainToASCII(domain) || domain}`;
}

function hasControlCharacter(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    if (isControl(text.charCodeAt(at))) {
      return true;
    }
  }
  return false;
}

function withoutControlCharacters(text: string): string {
  return Array.from(text, (character) => (isControl(character.charCodeAt(0)) ? '?' : character)).join('');
}

function isControl(code: number): boolean {
  if (code < 0x20) {
    return code !== 0x09 && code !== 0x0a && code !== 0x0d;
  }
  return code >= 0x7f && code < noBreakSpace;
}
