import type { Message } from './documents.js';

/** Any document: a text, the error of a missing abuse contact, or whois-resources. */
export type Telling = string | { message?: string; errormessages?: { errormessage: readonly Message[] } } | undefined;

/** Formats a message: puts the arguments into its text. */
export function messageText({ text, args = [] }: Message): string {
  let next = 0;
  return text.replace(/%[sd%]/g, (mark) => (mark === '%%' ? '%' : (args[next++]?.value ?? mark)));
}

/** The messages of a document; a text, or a failure without description, is one error. */
export function messagesOf(document: Telling): Message[] {
  if (document === undefined || document === '') return [];
  if (typeof document === 'string') return [told(document)];
  const { message, errormessages } = document;
  return message === undefined ? [...(errormessages?.errormessage ?? [])] : [told(message)];
}

function told(text: string): Message {
  return { severity: 'Error', text: text.replaceAll('%', '%%') };
}
