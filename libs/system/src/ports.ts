import { createServer, type Server } from 'node:net';
import { StartFailure } from './start-failure.js';

/** A port that is wanted. */
export interface WantedPort {
  /** 0 for any free one. */
  port: number;
  /** Where it comes from, for the message when it is taken. */
  settingName: string;
}

/**
 * Ports that can be listened on, one for each that is wanted. They are chosen here and not by the gateway so that
 * the addresses stay the same when the gateway is started again. Throws a StartFailure naming the setting.
 */
export async function choosePorts(wanted: WantedPort[]): Promise<number[]> {
  const servers: Server[] = [];
  try {
    // All are held until the last one is found, so that no port is chosen twice.
    for (const one of wanted) servers.push(await listen(one));
    return servers.map((server) => (server.address() as { port: number }).port);
  } finally {
    await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  }
}

function listen({ port, settingName }: WantedPort): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', ({ code }: NodeJS.ErrnoException) => {
      const reason = code === 'EACCES' ? 'may not be used by this user' : 'is taken';
      reject(new StartFailure(`Port ${port} ${reason}. Set ${settingName} to another one (0 takes a free one).`));
    });
    server.listen(port, () => resolve(server));
  });
}
