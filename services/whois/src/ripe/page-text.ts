import type { AbuseContact, FoundObject, SearchResponse } from '@cadastre/proto/search';
import { type Form, type LineSearch, queryMessages } from '@cadastre/query';
import {
  type Attribute,
  attributeType,
  cleanValue,
  keyAttributesOf,
  parseObject,
  type RpslObject,
  valuesOf,
} from '@cadastre/rpsl';
import { messageBlock } from './frame.js';
import { messages } from './messages.js';

const resources: readonly string[] = ['inetnum', 'inet6num', 'aut-num'];

/** Makes the writer of one answer. A note about what is missing comes once, before the first objects that need it. */
export function createPageWriter({ form, request: { flags } }: LineSearch, main: string) {
  const hasHeaders = (form === 'full' || form === 'brief') && !flags.includes('no-grouping');
  const withContacts = form !== 'abuse-contacts';
  const leftOut = flags.includes('valid-syntax') ? messages.invalidSyntax : messages.validSyntax;
  const note = form === 'keys' ? messages.onlyKeys() : messages.filtered();
  let isNoted = form === 'abuse-contacts' || (form !== 'keys' && flags.includes('no-filtering'));
  let isPersonalNoted = !flags.includes('no-personal') || flags.includes('show-personal');

  const headOf = (found: FoundObject, isComplete: boolean) => {
    const { object, related } = found;
    if (related || object === undefined) return '';
    const header = hasHeaders ? messageBlock(messages.relatedTo(object.key)) : '';
    const hasContact = withContacts && object.source === main && resources.includes(object.type);
    return hasContact ? header + contactBlock(found, isComplete) : header;
  };
  const notesFor = (objects: readonly FoundObject[]) => {
    let text = '';
    if (!isPersonalNoted) text += messageBlock(messages.noPersonal());
    isPersonalNoted = true;
    if (!isNoted && (form === 'keys' || objects.some((found) => isFiltered(found, main)))) {
      text += messageBlock(note);
      isNoted = true;
    }
    return text;
  };
  return {
    /** The notes that come before the error about an answer without objects. */
    notes: (): string => notesFor([]),
    /** Without the warning about useless flags, which comes once, before all sources. */
    page({ objects, messages: all }: Pick<SearchResponse, 'objects' | 'messages'>): string {
      const warnings = all.filter(({ text }) => text !== queryMessages.uselessFlag().text);
      let text = warnings.map(messageBlock).join('') + notesFor(objects);
      // A warning may mean that contacts are unknown.
      const isComplete = warnings.length === 0;
      for (const found of objects) {
        text += headOf(found, isComplete) + found.messages.map(messageBlock).join('');
        text += found.leftOut ? messageBlock(leftOut(found.object!.key)) : objectBlock(found, form);
      }
      return text;
    },
  };
}

function contactBlock({ object, abuseContact }: FoundObject, isComplete: boolean): string {
  const { key } = object!;
  if (abuseContact === undefined) return isComplete ? messageBlock(messages.noAbuseContact(key)) : '';
  const { email, suspect, orgId } = abuseContact;
  return messageBlock(suspect ? messages.suspectContact(key, email, orgId) : messages.abuseContact(key, email));
}

/** Whether the registry has removed attributes of the object; copies of other registries come as they publish them. */
function isFiltered({ object }: FoundObject, main: string): boolean {
  return object?.source === main && /^source:[^\n]*# *filtered/im.test(object.text);
}

/** An object of an answer, with the empty line that ends it; empty when its format shows nothing of the object. */
function objectBlock({ object, abuseContact, related }: FoundObject, form: Form): string {
  const { text = '' } = object ?? {};
  if (form === 'full') return `${text}\n`;
  const parsed = parseObject(text);
  if (!parsed.ok) return `${text}\n`;
  let lines: string;
  if (form === 'brief') lines = parsed.object.attributes.map(briefLine).join('');
  else if (form === 'keys') lines = keyLines(parsed.object);
  else lines = abuseLines(parsed.object, related ? undefined : abuseContact);
  return lines && `${lines}\n`;
}

/** `*in: 192.0.2.0 - 192.0.2.255`: a short name and the value as stored. Continuation lines begin with "+". */
function briefLine({ name, raw }: Attribute): string {
  const short = attributeType(name)?.shortName;
  const [first = '', ...more] = raw.split('\n').map((part, at) => (at === 0 ? part : part.slice(1)).trim());
  const lines = [`${short === undefined ? name : `*${short}`}: ${first}`, ...more.map((part) => `+    ${part}`)];
  return lines.map((one) => `${one.trimEnd()}\n`).join('');
}

const memberNames: readonly string[] = ['members', 'mp-members'];

/** The attributes of the key, and the members of sets. */
function keyLines(object: RpslObject): string {
  const members = object.attributes.filter(({ name }) => memberNames.includes(name));
  const all = [...keyAttributesOf(object), ...members.map((one) => ({ name: one.name, value: cleanValue(one) }))];
  return all.map(({ name, value }) => line(name, value)).join('');
}

/** A resource by its key and abuse mailboxes; any other object by its own mailboxes. */
function abuseLines(object: RpslObject, contact: AbuseContact | undefined): string {
  const mailboxes = contact === undefined ? valuesOf(object, 'abuse-mailbox') : [contact.email];
  const key = object.type === 'irt' ? [] : keyAttributesOf(object).map(({ name, value }) => line(name, value));
  return [...key, ...mailboxes.map((mailbox) => line('abuse-mailbox', mailbox))].join('');
}

function line(name: string, value: string): string {
  return `${`${name}:`.padEnd(16)}${value}\n`;
}
