import { isIP, type Server, type Socket } from 'node:net';
import type { AddressList } from './address-list.js';

/** Maximum wait for the header of a proxy. */
const headerTimeoutMs = 5_000;

const maxTextBytes = 107;
const fixedBytes = 16;
/** An address takes at most 36 bytes; proxies append details of their own. */
const maxBinaryBytes = fixedBytes + 2_048;
const signature = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1');
const textStart = Buffer.from('PROXY ');

/** A header that has arrived: its length, and the client's address; none for a connection of the proxy's own. */
interface Header {
  readonly bytes: number;
  readonly address?: string;
}

/**
 * Makes a server read the header of the PROXY protocol (versions 1 and 2) of connections from these proxies before
 * anything else. `remoteAddress` of their sockets is then the client's. Closes connections without a valid header. Does
 * not change connections from other addresses. Call it after all listeners of 'connection' were added.
 */
export function readProxyHeaders(server: Server, proxies: AddressList, onRefusal: () => void): void {
  const listeners = server.listeners('connection') as ((socket: Socket) => void)[];
  /** The client's address by the proxy's end of the connection: TLS creates another socket for the connection. */
  const clients = new Map<string, string>();
  const begin = (socket: Socket) => {
    for (const listener of listeners) listener.call(server, socket);
  };
  server.removeAllListeners('connection').on('connection', (socket: Socket) => {
    if (!proxies.includes(socket.remoteAddress)) return begin(socket);
    const end = endOf(socket);
    readHeader(socket, (header) => {
      if (header === undefined) {
        onRefusal();
        socket.destroy();
        return;
      }
      const { address } = header;
      if (address !== undefined) {
        clients.set(end, address);
        socket.once('close', () => clients.delete(end));
        showAddress(socket, address);
      }
      begin(socket);
    });
  });
  server.prependListener('secureConnection', (socket: Socket) => {
    const address = clients.get(endOf(socket));
    if (address !== undefined) showAddress(socket, address);
  });
}

function endOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

function showAddress(socket: Socket, address: string): void {
  Object.defineProperty(socket, 'remoteAddress', { value: address, configurable: true });
}

/** Calls `done` once: with the header, or without one when it is invalid or late. Does not read what follows it. */
function readHeader(socket: Socket, done: (header?: Header) => void): void {
  let read = Buffer.alloc(0);
  const finish = (header?: Header) => {
    clearTimeout(late);
    socket.off('readable', look).off('end', fail).off('close', fail).off('error', fail);
    if (header !== undefined && header.bytes < read.length) socket.unshift(read.subarray(header.bytes));
    done(header);
  };
  const look = () => {
    for (let chunk = socket.read(); chunk !== null; chunk = socket.read()) read = Buffer.concat([read, chunk]);
    const header = headerOf(read);
    if (header !== 'incomplete') finish(header);
  };
  const fail = () => finish();
  const late = setTimeout(fail, headerTimeoutMs);
  socket.on('readable', look).once('end', fail).once('close', fail).once('error', fail);
}

/** Undefined for anything but a header. */
function headerOf(read: Buffer): Header | 'incomplete' | undefined {
  const begins = (start: Buffer) => read.subarray(0, start.length).equals(start.subarray(0, read.length));
  if (begins(textStart)) return textHeader(read);
  return begins(signature) ? binaryHeader(read) : undefined;
}

/** Version 1: a line of text. */
function textHeader(read: Buffer): Header | 'incomplete' | undefined {
  const end = read.subarray(0, maxTextBytes).indexOf('\r\n');
  if (end === -1) return read.length < maxTextBytes ? 'incomplete' : undefined;
  const [, protocol, address = ''] = read.toString('latin1', 0, end).split(' ');
  const bytes = end + 2;
  if (protocol === 'UNKNOWN') return { bytes };
  return isIP(address) !== 0 && protocol === `TCP${isIP(address)}` ? { bytes, address } : undefined;
}

/** Version 2: 12 bytes of signature, version and command, family and protocol, length of the rest, addresses. */
function binaryHeader(read: Buffer): Header | 'incomplete' | undefined {
  if (read.length < fixedBytes) return 'incomplete';
  const bytes = fixedBytes + read.readUInt16BE(14);
  if (bytes > maxBinaryBytes) return undefined;
  if (read.length < bytes) return 'incomplete';
  const command = read[12];
  if (command === 0x20) return { bytes };
  const address = command === 0x21 ? addressIn(read.subarray(fixedBytes, bytes), read[13]! >> 4) : undefined;
  return address === undefined ? undefined : { bytes, address };
}

function addressIn(block: Buffer, family: number): string | undefined {
  if (family === 1 && block.length >= 12) return block.subarray(0, 4).join('.');
  if (family === 2 && block.length >= 36) {
    const groups = block.subarray(0, 16).toString('hex').match(/.{4}/g)!;
    return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
  }
  return undefined;
}
