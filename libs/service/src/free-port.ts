import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

// Below the ports that Linux uses for outgoing connections (32768 and above): a connection could take one of those
// before the process with the port listens on it.
const first = 10_000;
const end = 32_000;
const attempts = 100;

/**
 * Chooses a random free TCP port for a process that starts soon. Rejects when a hundred ports in a row are taken.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const port = randomInt(first, end);
    if (await isFree(port)) return port;
  }
  throw new Error(`No free port found between ${first} and ${end}`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, () => server.close(() => resolve(true)));
  });
}
