import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ListenOptions, type Server } from 'node:net';

// Below the ports that Linux uses for outgoing connections (32768 and above): a connection could use one of those
// before the process with the port listens on it.
const usual = { first: 10_000, end: 32_000 };
const attempts = 100;

/** Prevents garbage collection of the reservations, which would close them. */
const held: Server[] = [];

/**
 * Reserves a random free TCP port for a process that starts soon, until this process ends: no other call gets it, in
 * any process of this machine. Rejects when a hundred ports in a row are in use.
 */
export async function reservePort({ first, end } = usual): Promise<number> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const port = randomInt(first, end);
    // A socket in Linux's abstract namespace: only one process at a time has the name, and the name disappears with the
    // process.
    const reservation = await listening({ path: `\0cadastre-port-${port}` });
    if (reservation === undefined) continue;
    const probe = await listening({ port });
    if (probe === undefined) {
      reservation.close();
      continue;
    }
    await probe[Symbol.asyncDispose]();
    held.push(reservation.unref());
    return port;
  }
  throw new Error(`No free port found between ${first} and ${end}`);
}

/** A server that listens there; undefined when the address is in use. */
function listening(where: ListenOptions): Promise<Server | undefined> {
  const server = createServer().listen(where);
  return once(server, 'listening').then(
    () => server,
    () => undefined,
  );
}
