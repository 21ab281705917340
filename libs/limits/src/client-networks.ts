import { formatIpv6Network, parseIpv6 } from '@cadastre/rpsl';
import type { ClientNetworks } from '@cadastre/service';
import { withoutZone } from './policy.js';

/** The networks around the /64 of an IPv6 client, and by how much each multiplies a client's limits. */
const around = [
  { length: 56, times: 2 },
  { length: 48, times: 4 },
];

/** One machine has all of these addresses, so they share a limit like that of a /48. */
const loopback = { id: '127.0.0.0/8', times: 4 };

/** The client at an address, and the networks around it. Text that is not an address is a client of its own. */
export function networksOf(address: string): ClientNetworks {
  if (!address.includes(':')) return ipv4NetworksOf(address);
  const bits = parseIpv6(withoutZone(address));
  if (bits === undefined) return { id: address, wider: [], prefix: address };
  const network = (length: number) => formatIpv6Network(bits, length);
  const wider = around.map(({ length, times }) => ({ id: network(length), times }));
  return { id: network(64), wider, prefix: network(48) };
}

function ipv4NetworksOf(address: string): ClientNetworks {
  if (address.startsWith('127.')) return { id: address, wider: [loopback], prefix: loopback.id };
  return { id: address, wider: [], prefix: `${address.slice(0, address.lastIndexOf('.'))}.0/24` };
}
