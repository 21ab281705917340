import type { FoundObject, SearchResponse } from '@cadastre/proto/search';
import type { LineSearch } from '@cadastre/query';
import { messageBlock } from './frame.js';
import { messages } from './messages.js';
import { objectBlock } from './object-forms.js';

/** Writes the pages of an answer, one after the other. */
export type WritePage = (page: Pick<SearchResponse, 'objects' | 'messages'>) => string;

const resources: readonly string[] = ['inetnum', 'inet6num', 'aut-num'];

/** Makes the writer of one answer. A note about what is missing stands once, before the first objects that need it. */
export function createPageWriter({ form, request: { flags } }: LineSearch, main: string): WritePage {
  const hasHeaders = form === 'full';
  const withContacts = form !== 'abuse-contacts';
  const note = form === 'keys' ? messages.onlyKeys() : messages.filtered();
  let isNoted = form === 'abuse-contacts' || (form !== 'keys' && flags.includes('no-filtering'));
  let personalNote = flags.includes('no-personal') && !flags.includes('show-personal');

  const headOf = (found: FoundObject, isComplete: boolean) => {
    const { object, related } = found;
    if (related || object === undefined) return '';
    const header = hasHeaders ? messageBlock(messages.relatedTo(object.key)) : '';
    const hasContact = withContacts && object.source === main && resources.includes(object.type);
    return hasContact ? header + contactBlock(found, isComplete) : header;
  };
  return ({ objects, messages: warnings }) => {
    let text = warnings.map(messageBlock).join('');
    if (personalNote) text += messageBlock(messages.noPersonal());
    personalNote = false;
    if (!isNoted && objects.some((found) => form === 'keys' || isFiltered(found))) {
      text += messageBlock(note);
      isNoted = true;
    }
    // A warning may say that contacts could not be found out.
    for (const found of objects) text += headOf(found, warnings.length === 0) + objectBlock(found, form);
    return text;
  };
}

function contactBlock({ object, abuseContact }: FoundObject, isComplete: boolean): string {
  const { key } = object!;
  if (abuseContact === undefined) return isComplete ? messageBlock(messages.noAbuseContact(key)) : '';
  const { email, suspect, orgId } = abuseContact;
  return messageBlock(suspect ? messages.suspectContact(key, email, orgId) : messages.abuseContact(key, email));
}

/** Whether the registry has removed attributes of the object; copies of other registries come as they publish them. */
function isFiltered({ object }: FoundObject): boolean {
  return object !== undefined && !/-GRS$/i.test(object.source) && /^source:[^\n]*# *filtered/im.test(object.text);
}
