import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const established = '01';

/**
 * Whether a process has an open TCP connection over IPv4 to an `address:port` of this machine (see proc(5),
 * /proc/net/tcp).
 */
export function isConnected(pid: number, address: string): boolean {
  const port = Number(address.split(':').at(-1)).toString(16).toUpperCase().padStart(4, '0');
  const inodes = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , remote, state]) => remote?.endsWith(`:${port}`) && state === established)
    .map((fields) => `socket:[${fields[9]}]`);
  const directory = `/proc/${pid}/fd`;
  return readdirSync(directory).some((file) => inodes.includes(linkOf(`${directory}/${file}`)));
}

/** A descriptor can close while the others are read. */
function linkOf(file: string): string {
  try {
    return readlinkSync(file);
  } catch {
    return '';
  }
}
