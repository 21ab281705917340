import type { Message } from '@cadastre/proto/registry';
import { isAccountName } from './account.js';
import { isAllowedExpiry } from './expiry.js';
import { messages } from './messages.js';

/** What somebody asks a key to be. */
export interface KeyWish {
  accountName: string;
  name: string;
  expires: Date;
  maintainer: string;
}

/** Everything that is wrong with a wish; empty when nothing is. */
export function problemsOf(wish: KeyWish, now: Date): Message[] {
  return [
    ...(isAccountName(wish.accountName) ? [] : [messages.badAccountName()]),
    ...(/^[^\p{C}]{1,80}$/u.test(wish.name) && wish.name.trim() !== '' ? [] : [messages.badKeyName()]),
    ...(isAllowedExpiry(wish.expires, now) ? [] : [messages.badExpiry()]),
    ...(isMaintainerLimit(wish.maintainer) ? [] : [messages.badMaintainer(wish.maintainer.slice(0, 80))]),
  ];
}

/** Empty (no limit), or an RPSL object name (RFC 2622, section 2) of at most 80 characters. */
function isMaintainerLimit(name: string): boolean {
  return name === '' || /^[A-Z][A-Z0-9_-]{0,78}[A-Z0-9]$/i.test(name);
}
