import type { Message } from '@cadastre/proto/registry';
import { formatPrefix, parseNetwork, prefixLength } from '@cadastre/rpsl';
import { messages } from './messages.js';

/** A block as it is stored. */
export interface BlockRecord {
  prefix: string;
  reason: string;
  addedBy: string;
  created: Date;
  until: Date | undefined;
}

/** Shorter prefixes would lock out half of the world by a slip; beyond a /64 IPv6 does not tell clients apart. */
const lengths = { 4: { shortest: 8, longest: 32 }, 6: { shortest: 16, longest: 64 } };

/** A network in canonical form; an IPv6 address stands for its /64. `undefined` for what may not be blocked. */
export function blockablePrefix(text: string): string | undefined {
  const network = text.trim();
  const isIpv6Address = network.includes(':') && !network.includes('/');
  const range = parseNetwork(isIpv6Address ? `${network}/64` : network);
  const length = range && prefixLength(range);
  if (range === undefined || length === undefined) return undefined;
  const { shortest, longest } = lengths[range.family];
  return length >= shortest && length <= longest ? formatPrefix(range) : undefined;
}

/** Everything that is wrong with a wished block; empty when nothing is. */
export function problemsOfBlock(wish: Omit<BlockRecord, 'created'>, now: Date): Message[] {
  return [
    ...(blockablePrefix(wish.prefix) === undefined ? [messages.badBlockPrefix(wish.prefix.slice(0, 80))] : []),
    ...(isPrintable(wish.reason, 200) ? [] : [messages.badBlockReason()]),
    ...(isPrintable(wish.addedBy, 80) ? [] : [messages.badOperatorName()]),
    ...(wish.until === undefined || wish.until > now ? [] : [messages.blockEndsInPast()]),
  ];
}

/** Whether a text has 1 to `most` characters that can be shown. */
export function isPrintable(text: string, most: number): boolean {
  return text.trim() !== '' && text.length <= most && /^[^\p{C}]*$/u.test(text);
}
