import { BlockList, isIP } from 'node:net';

/** IPv4 networks that are not the public Internet (IANA special-purpose registry), or lead elsewhere. */
const special4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
];

/** The only IPv6 addresses of the public Internet, so no IPv4-mapped ones. */
const global6 = ['2000::/3'];

/** Parts of it that are special, or carry IPv4 addresses (Teredo, 6to4). */
const special6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

/** NAT64 (RFC 6052): what has such an address is reached by the IPv4 address in its last 32 bits. */
const nat64 = networkList(['64:ff9b::/96']);

const special = networkList(special4);
const global = networkList(global6);
const specialInGlobal = networkList(special6);

/** The IPv4 address by which NAT64 reaches an address; other addresses unchanged. */
export function reachedAddress(address: string): string {
  if (isIP(address) !== 6 || !nat64.check(address, 'ipv6')) return address;
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split(':').slice(-2);
  return groups
    .map((group) => Number.parseInt(group || '0', 16))
    .flatMap((number) => [number >> 8, number & 255])
    .join('.');
}

/** Whether an address is public. Requests to other addresses could reach hosts of the operator's own network. */
export function isPublicAddress(sent: string): boolean {
  const address = reachedAddress(sent);
  if (isIP(address) === 4) return !special.check(address, 'ipv4');
  return isIP(address) === 6 && global.check(address, 'ipv6') && !specialInGlobal.check(address, 'ipv6');
}

/** Top-level names that never exist in the public DNS (RFC 6761, RFC 6762, RFC 7686, and ICANN for `internal`). */
export const privateTopLevelNames = ['localhost', 'local', 'internal', 'invalid', 'test', 'onion'] as const;

/** Whether a host is a name of which the public DNS has no address: also one without a dot, as in a search list. */
export function isPrivateName(hostname: string): boolean {
  const labels = hostname.toLowerCase().replace(/\.$/, '').split('.');
  const isName = !hostname.startsWith('[') && isIP(hostname) === 0;
  return isName && (labels.length === 1 || privateTopLevelNames.some((name) => name === labels.at(-1)));
}

/** The networks, each an address with the length of its prefix. Throws a TypeError or RangeError for anything else. */
export function networkList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', length] = network.split('/');
    list.addSubnet(address, Number(length), isIP(address) === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
}
