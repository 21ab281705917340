import { domainToASCII } from 'node:url';
import type { Message } from './message.js';
import { messages } from './messages.js';
import type { Attribute, RpslObject } from './object.js';
import { cleanValue } from './value.js';

const space = 0x20;
const hyphen = 0x2d;
const questionMark = 0x3f;
const noBreakSpace = 0xa0;
const softHyphen = 0xad;
const lastLatin1 = 0xff;

/** Attributes with an e-mail address, whose domain may use other alphabets (rule G-PUNYCODE). */
const emailAttributes: ReadonlySet<string> = new Set([
  'abuse-mailbox',
  'e-mail',
  'irt-nfy',
  'mnt-nfy',
  'notify',
  'ref-nfy',
  'upd-to',
]);

/** Longer values are not addresses; converting their domains would be slow. */
const maxEmailLength = 2_000;

/**
 * Converts a text to characters that can be stored (decision F5): characters outside latin-1 become `?`, the no-break
 * space a space, the soft hyphen `-`. `replaced` counts them. Keeps control characters.
 */
export function toLatin1(text: string): { text: string; replaced: number } {
  const first = text.search(replacedCharacters);
  if (first < 0) return { text, replaced: 0 };
  const bytes = Buffer.from(text, 'latin1');
  let length = first;
  let replaced = 0;
  for (let at = first; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const substitute = substituteOf(code);
    if (substitute !== undefined) {
      at += text.codePointAt(at)! > 0xffff ? 1 : 0;
      replaced++;
    }
    bytes[length++] = substitute ?? code;
  }
  return { text: bytes.toString('latin1', 0, length), replaced };
}

/** The characters of `substituteOf`. */
const replacedCharacters = /[\u00a0\u00ad\u0100-\uffff]/;

/** Converts an object to latin-1, with one warning for each changed attribute. */
export function convertObject(o: RpslObject): { object: RpslObject; messages: Message[] } {
  const notices: Message[] = [];
  const attributes = o.attributes.map((given, index) => {
    const ascii = withAsciiDomains(given);
    const { text, replaced } = toLatin1(ascii.raw);
    const attribute = replaced === 0 ? ascii : { name: ascii.name, raw: text };
    if (ascii !== given) notices.push(messages.punycode({ attribute, index }));
    if (attribute !== ascii) {
      notices.push(messages.latin1Converted(attribute.name, cleanValue(attribute), { attribute, index }));
    }
    return attribute;
  });
  return { object: { type: o.type, attributes }, messages: notices };
}

/** Maximum characters of a value in an error; more than a message shows. */
const maxLooked = 2000;

/** One error for each attribute with a control character other than tab, LF and CR (decision F5). */
export function controlCharacters(o: RpslObject): Message[] {
  return o.attributes.flatMap((a, index) => {
    if (!hasControlCharacter(a.raw)) return [];
    // The message must not carry them into logs and documents.
    const attribute = { name: a.name, raw: withoutControlCharacters(a.raw.slice(0, maxLooked)) };
    return messages.syntaxErrorBecause(cleanValue(attribute), 'control characters are not allowed', {
      attribute,
      index,
    });
  });
}

/** The code of the replacement; undefined for characters that stay. */
function substituteOf(code: number): number | undefined {
  if (code < noBreakSpace) return undefined;
  if (code === noBreakSpace) return space;
  if (code === softHyphen) return hyphen;
  return code > lastLatin1 ? questionMark : undefined;
}

function withAsciiDomains(a: Attribute): Attribute {
  if (!emailAttributes.has(a.name) || a.raw.length > maxEmailLength) return a;
  const raw = a.raw.replace(/@[^\s@<>,;#]+/g, asciiDomain);
  return raw === a.raw ? a : { name: a.name, raw };
}

/** Converts `@` and a domain to punycode if it is not ASCII; unchanged if that fails. */
function asciiDomain(part: string): string {
  const domain = part.slice(1);
  const isAscii = Buffer.byteLength(domain) === domain.length;
  return isAscii ? part : `@${domainToASCII(domain) || domain}`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: all but tab, LF and CR.
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

/** Whether a text has a control character other than tab, LF and CR. */
export function hasControlCharacter(text: string): boolean {
  return text.search(controls) >= 0;
}

/** The text with `?` for each control character other than tab, LF and CR. */
export function withoutControlCharacters(text: string): string {
  return text.replace(controls, '?');
}
