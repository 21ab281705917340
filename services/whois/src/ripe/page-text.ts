import type { FoundObject, SearchResponse } from '@cadastre/proto/search';
import { type LineSearch, queryMessages } from '@cadastre/query';
import { messageBlock } from './frame.js';
import { messages } from './messages.js';
import { objectBlock } from './object-forms.js';

/** Writes the pages of an answer, one after the other. */
export interface PageWriter {
  /** Without the warning about useless flags, which comes once, before all sources. */
  page(page: Pick<SearchResponse, 'objects' | 'messages'>): string;
  /** The notes that come before the error about an answer without objects. */
  notes(): string;
}

const resources: readonly string[] = ['inetnum', 'inet6num', 'aut-num'];

/** Makes the writer of one answer. A note about what is missing comes once, before the first objects that need it. */
export function createPageWriter({ form, request: { flags } }: LineSearch, main: string): PageWriter {
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
    notes: () => notesFor([]),
    page({ objects, messages: all }) {
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
