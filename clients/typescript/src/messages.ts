import type { Message } from './documents.js';

/** Any document: a text, the error of a missing abuse contact, or whois-resources. */
export type MessageBody =
  | string
  | { message?: string; errormessages?: { errormessage: readonly Message[] } }
  | undefined;

/** Formats a message: puts the arguments into its text. */
export function messageText({ text, args = [] }: Message): string {
  let next = 0;
  return text.replace(/%[sd%]/g, (mark) => (mark === '%%' ? '%' : (args[next++]?.value ?? mark)));
}

/** The messages of a document; a text without messages, or a failure without description, is one error. */
export function messagesOf(document: MessageBody): Message[] {
  if (document === undefined || document === '') return [];
  if (typeof document === 'string') return messagesOfText(document);
  const { message, errormessages } = document;
  return message === undefined ? [...(errormessages?.errormessage ?? [])] : [messageOf(message)];
}

/** The messages of a plain text: each has a line with its severity, and its own lines after that. */
function messagesOfText(document: string): Message[] {
  const parts = document.split(/^Severity: (Error|Warning|Info)\nText: /m);
  if (parts.length === 1) return [messageOf(document)];
  return parts.flatMap((severity, index) => {
    if (index % 2 === 0) return [];
    // The address of the terms is below the last message.
    const text = parts[index + 1]!.replace(/\n(?:locator: \S+|https?:\/\/\S+)?\n?$/, '');
    return [{ ...(unfilled(text) ?? messageOf(text)), severity: severity as Message['severity'] }];
  });
}

/** A search without result returns a template with its argument in brackets. */
function unfilled(text: string): Message | undefined {
  const [, template, value] = /^(ERROR:.*%s.*)\[([^\]]*)\]$/s.exec(text) ?? [];
  return template && value !== undefined ? { severity: 'Error', text: template, args: [{ value }] } : undefined;
}

function messageOf(text: string): Message {
  return { severity: 'Error', text: text.replaceAll('%', '%%') };
}
