import { error, type Message } from '../message.js';

/** What several services say about requests. Texts that clients know are those of the RIPE Database. */
export const requestMessages = {
  invalidSource: (source: string) => uncut("Invalid source '%s'", source),
  /** Clients know this text with the name already in it. */
  invalidType: (type: string) => filled(`Invalid object type: ${type}`),
  noAttributes: () => error('The validated collection is empty'),
  notFound: () => error('Not Found'),
  wrongCredential: () => error('The credential is wrong, expired or revoked'),
  wrongSignature: () => error('The signature is not valid'),
  signedTextTooLarge: (octets: number, lines: number) =>
    error('A signed text may have at most %d octets and %d lines', [octets, lines]),
};

/** An error that shows its arguments in full. */
function uncut(text: string, ...args: string[]): Message {
  return { severity: 'error', text, args };
}

/** An error without arguments. */
function filled(text: string): Message {
  return uncut(text.replaceAll('%', '%%'));
}
