import { parseIpv4 } from '../ipv4.js';
import { parseIpv6 } from '../ipv6.js';
import { type Checker, pattern } from './checker.js';
import { isHostName } from './dns.js';

// RFC 2396: a scheme, something after it, at most one fragment; the text after `//` is not empty.
const uriCharacter = "(?:[A-Z0-9;/?:@&=+$,_.!~*'()-]|%[0-9A-F]{2})";
const absoluteUri = new RegExp(`^[A-Z][A-Z0-9+.-]*:(?!//(?:[?#]|$))${uriCharacter}+(?:#${uriCharacter}*)?$`, 'i');
const httpsUrl = /^https:\/\/(?:[^\s/?#@]*@)?(\[[0-9A-F:.]+\]|[A-Z0-9.-]+)(?::[0-9]{1,5})?(?:[/?#][!-~]*)?$/i;
const topLevelDomain = /^(?:[A-Z]{2,63}|XN--[A-Z0-9-]{1,58}[A-Z0-9])$/i;

/** Top-level names that RFC 2606, 6761, 6762, 7686 and 9476 or ICANN reserve: never public. */
const privateDomains = new Set('alt example internal invalid local localhost onion test'.split(' '));

/** An absolute https URL whose host is an address or a public name. */
function isHttpsUrl(value: string): boolean {
  const host = httpsUrl.exec(value)?.[1];
  if (host === undefined) return false;
  if (host.startsWith('[')) return parseIpv6(host) !== undefined;
  return parseIpv4(host) !== undefined || isPublicName(host);
}

function isPublicName(host: string): boolean {
  const name = host.endsWith('.') ? host.slice(0, -1) : host;
  const topLevel = name.slice(name.lastIndexOf('.') + 1);
  return (
    name.includes('.') &&
    isHostName(name) &&
    topLevelDomain.test(topLevel) &&
    !privateDomains.has(topLevel.toLowerCase())
  );
}

export const urlSyntaxes = {
  contact: pattern(absoluteUri),
  geofeed: isHttpsUrl,
  prefixlen: isHttpsUrl,
} satisfies Record<string, Checker>;
