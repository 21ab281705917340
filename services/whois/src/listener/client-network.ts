import { parseIpv6 } from '@cadastre/rpsl';

/** What counts as one client: an IPv4 address, or an IPv6 /64, which one holder has. */
export function clientNetwork(address: string): string {
  const ipv6 = address.includes(':') ? parseIpv6(address.replace(/%.*/, '')) : undefined;
  return ipv6 === undefined ? address : String(ipv6 >> 64n);
}
