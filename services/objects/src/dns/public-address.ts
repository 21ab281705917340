import { BlockList, isIPv6 } from 'node:net';

const special = new BlockList();
for (const [network, length] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['224.0.0.0', 3],
] as const) {
  special.addSubnet(network, length, 'ipv4');
}
for (const [network, length] of [
  ['::', 96],
  ['64:ff9b::', 96],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const) {
  special.addSubnet(network, length, 'ipv6');
}

/** Whether an address is public. Queries to others would reach hosts in this network. */
export function isPublicAddress(address: string): boolean {
  return !special.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
