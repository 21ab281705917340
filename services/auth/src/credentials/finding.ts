import type { Message, Principal } from '@cadastre/proto/registry';
import { messages } from '../domain/messages.js';

/** What one credential of a request tells: what it adds to the principal, or why it is not accepted. */
export type Finding = { accepted: Partial<Principal>; warnings?: Message[] } | { rejected: Message };

/** The answer to anything wrong whose reason is not for the caller to know. */
export const rejected: Finding = { rejected: messages.rejected() };
