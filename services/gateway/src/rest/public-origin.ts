import { isIP } from 'node:net';
import { isPublicAddress } from '@cadastre/service';

/** Top-level domains that no public DNS has (RFC 6761, RFC 6762 appendix G, RFC 8375 for `home.arpa`, ICANN for `internal`). */
const privateDomains =
  /\.(?:localhost|local|internal|intranet|private|corp|home|lan|test|invalid|onion|home\.arpa|localdomain)$/i;

/**
 * The origin of a mirror as everybody may see it: the URL of a public web server, or `host:port` of a public host. Empty
 * for any other: files, hosts of the operator's own network, and URLs with credentials or a query, which may be secret.
 */
export function publicOrigin(origin: string): string {
  const isHostAndPort = /^(?:\[[\da-f:.]+\]|[^\s:/?#@[\]]+):\d+$/i.test(origin);
  const url = URL.parse(isHostAndPort ? `http://${origin}/` : origin);
  if (url === null || !/^https?:$/.test(url.protocol)) return '';
  const { username, password, search, hash, hostname } = url;
  const isBare = username === '' && password === '' && search === '' && hash === '';
  return isBare && isPublicHost(hostname) ? origin : '';
}

function isPublicHost(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, '');
  if (isIP(address) !== 0) return isPublicAddress(address);
  const name = hostname.replace(/\.$/, '');
  return name.includes('.') && !privateDomains.test(name);
}
