import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { reservePort } from '@cadastre/service';
import { StartFailure } from './start-failure.js';

/** A requested port. */
export interface WantedPort {
  /** 0 for any free one. */
  port: number;
  /** The setting that it comes from, for the message when the port is in use. */
  settingName: string;
}

/**
 * Chooses free ports, one for each request. The supervisor chooses them, not the gateway, so that the addresses stay
 * the same when the gateway restarts. Throws a StartFailure that names the setting.
 */
export async function choosePorts(wanted: WantedPort[]): Promise<number[]> {
  const servers: Server[] = [];
  try {
    // Holds all ports until the last one is found, so that none is chosen twice.
    for (const { port, settingName } of wanted) {
      servers.push(await listen({ port: port === 0 ? await reservePort() : port, settingName }));
    }
    return servers.map((server) => (server.address() as { port: number }).port);
  } finally {
    await Promise.all(servers.map((server) => server[Symbol.asyncDispose]()));
  }
}

async function listen({ port, settingName }: WantedPort): Promise<Server> {
  const server = createServer().listen(port);
  await once(server, 'listening').catch(({ code }) => {
    const reason = code === 'EACCES' ? 'may not be used by this user' : 'is in use';
    throw new StartFailure(`Port ${port} ${reason}. Set ${settingName} to another one (0 chooses a free one).`);
  });
  return server;
}
