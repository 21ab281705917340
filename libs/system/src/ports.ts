import { createServer } from 'node:net';
import { StartFailure } from './start-failure.js';

/**
 * A port that can be listened on: the given one, or a free one for 0. It is chosen here and not by the gateway so
 * that the addresses stay the same when the gateway is started again. Throws a StartFailure naming the setting.
 */
export async function choosePort(port: number, settingName: string): Promise<number> {
  const taken = await tryPort(port);
  if (typeof taken === 'number') return taken;
  const reason = taken.code === 'EACCES' ? 'may not be used by this user' : 'is taken by another program';
  throw new StartFailure(`Port ${port} ${reason}. Set ${settingName} to another one (0 takes a free one).`);
}

function tryPort(port: number): Promise<number | NodeJS.ErrnoException> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', resolve);
    server.listen(port, () => {
      const found = (server.address() as { port: number }).port;
      server.close(() => resolve(found));
    });
  });
}
