import { readFileSync } from 'node:fs';

const established = '01';

/** How many TCP connections over IPv4 are open to an `address:port` of this machine (see proc(5), /proc/net/tcp). */
export function connectionsTo(address: string): number {
  const port = Number(address.split(':').at(-1)).toString(16).toUpperCase().padStart(4, '0');
  const lines = readFileSync('/proc/net/tcp', 'utf8').split('\n').slice(1);
  return lines
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => local?.endsWith(`:${port}`) && state === established).length;
}
