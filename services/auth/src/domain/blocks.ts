import type { Message } from '@cadastre/proto/registry';
import { formatPrefix, parseNetwork, prefixLength } from '@cadastre/rpsl';
import { messages } from './messages.js';

/** A stored block. */
export interface BlockRecord {
  prefix: string;
  reason: string;
  addedBy: string;
  created: Date;
  until: Date | undefined;
}

/** A mistake in a shorter prefix would block much of the Internet. One client may have a whole IPv6 /64. */
const lengths = { 4: { shortest: 8, longest: 32 }, 6: { shortest: 16, longest: 64 } };

/** The canonical form of a network; an IPv6 address means its /64. `undefined` when it cannot be blocked. */
export function blockablePrefix(text: string): string | undefined {
  const network = text.trim();
  const isIpv6Address = network.includes(':') && !network.includes('/');
  const range = parseNetwork(isIpv6Address ? `${network}/64` : network);
  const length = range && prefixLength(range);
  if (range === undefined || length === undefined) return undefined;
  const { shortest, longest } = lengths[range.family];
  return length >= shortest && length <= longest ? formatPrefix(range) : undefined;
}

/** Returns all errors of a request for a block. */
export function problemsOfBlock(block: Omit<BlockRecord, 'created'>, now: Date): Message[] {
  return [
    ...(blockablePrefix(block.prefix) === undefined ? [messages.badBlockPrefix(block.prefix.slice(0, 80))] : []),
    ...(isPrintable(block.reason, 200) ? [] : [messages.badBlockReason()]),
    ...(isPrintable(block.addedBy, 80) ? [] : [messages.badOperatorName()]),
    ...(block.until === undefined || block.until > now ? [] : [messages.blockEndsInPast()]),
  ];
}

/** Returns all errors of a request to remove a block. */
export function problemsOfRemoval({ prefix, removedBy }: { prefix: string; removedBy: string }): Message[] {
  return [
    ...(blockablePrefix(prefix) === undefined ? [messages.badBlockPrefix(prefix.slice(0, 80))] : []),
    ...(isPrintable(removedBy, 80) ? [] : [messages.badOperatorName()]),
  ];
}

/** Whether a text has 1 to `max` characters and all are printable. */
function isPrintable(text: string, max: number): boolean {
  return text.trim() !== '' && text.length <= max && /^[^\p{C}]*$/u.test(text);
}
