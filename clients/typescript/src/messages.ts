import type { Message } from './documents.js';

/** What a document says, whatever it is: a text, an abuse contact that was not found, or whois-resources. */
export type Telling = string | { message?: string; errormessages?: { errormessage: readonly Message[] } } | undefined;

/** A message as people read it: its arguments put in the places that are marked in its text. */
export function messageText({ text, args = [] }: Message): string {
  let next = 0;
  return text.replace(/%[sd%]/g, (mark) => (mark === '%%' ? '%' : (args[next++]?.value ?? mark)));
}

/** The messages of a document; a text, or a failure that is not described further, is one error. */
export function messagesOf(document: Telling): Message[] {
  if (document === undefined || document === '') return [];
  if (typeof document === 'string') return [told(document)];
  const { message, errormessages } = document;
  return message === undefined ? [...(errormessages?.errormessage ?? [])] : [told(message)];
}

function told(text: string): Message {
  return { severity: 'Error', text: text.replaceAll('%', '%%') };
}
