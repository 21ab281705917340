import type { Message } from '@cadastre/proto/registry';
import { type Flag, modeFlags } from './flags.js';
import { queryMessages } from './query-messages.js';
import { classify } from './search-key.js';

const addressFlags: readonly Flag[] = [...modeFlags, 'reverse-domain'];

/**
 * Warns (WARNING:902) when flags about addresses come with another kind of search key. Reverse domains count as addresses
 * with `-d` only (queries.md 1.4).
 */
export function uselessFlagWarnings(flags: ReadonlySet<Flag>, key: string): Message[] {
  if (!addressFlags.some((flag) => flags.has(flag))) return [];
  const { kind } = classify(key);
  const isUseless = kind === 'text' || (kind === 'reverse-domain' && !flags.has('reverse-domain'));
  return isUseless ? [queryMessages.uselessFlag()] : [];
}
