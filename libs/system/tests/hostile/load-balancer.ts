/** The load balancer that names the clients. Pass its settings to the system. */
export const loadBalancer = '127.0.0.2';
export const loadBalancerSettings = {
  CADASTRE_PROXY_PROTOCOL_FROM: loadBalancer,
};

/** The header that it sends first on a connection, for the client with this address. */
export function proxyHeader(client: string, port: number | string): string {
  return `PROXY TCP6 ${client} 2001:db8::1 4711 ${port}\r\n`;
}

/** One address of each of `count` prefixes /48. */
export function addressesOfPrefixes(count: number): string[] {
  return Array.from({ length: count }, (_, n) => `2001:db8:${(n + 0x100).toString(16)}::1`);
}
