import type { Ipv4Network, Ipv6Network } from './network.js';

export function ipv4Text(address: number): string {
  return `${address >>> 24}.${(address >>> 16) & 255}.${(address >>> 8) & 255}.${address & 255}`;
}

export function ipv4RangeText(network: Ipv4Network): string {
  return `${ipv4Text(network.first)} - ${ipv4Text(network.last)}`;
}

/** Canonical if the last 64 bits are zero: no other run of zeros is longer. */
export function ipv6PrefixText(high: number, low: number, length: number): string {
  const groups = [high >>> 16, high & 0xffff, low >>> 16, low & 0xffff];
  while (groups.at(-1) === 0) {
    groups.pop();
  }
  return `${groups.map((group) => group.toString(16)).join(':')}::/${length}`;
}

export function ipv6NetworkText(network: Ipv6Network): string {
  return ipv6PrefixText(network.high, network.low, network.length);
}
