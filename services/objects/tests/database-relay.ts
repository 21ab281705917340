import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * A relay before a database. It closes the first `refused` connections; after `freeze` it forwards nothing but still
 * accepts connections.
 */
export async function openRelay(databaseUrl: string, { refused = 0 } = {}) {
  const database = new URL(databaseUrl);
  const path = `${database.searchParams.get('host')}/.s.PGSQL.5432`;
  const sockets = new Set<Socket>();
  let connections = 0;
  let frozen = false;
  const relay = createServer((near) => {
    if (connections++ < refused) return near.destroy();
    const far = database.searchParams.has('host') ? connect(path) : connect(Number(database.port), database.hostname);
    for (const socket of [near, far]) sockets.add(socket.on('error', () => {}));
    near.on('data', (bytes) => frozen || far.write(bytes)).on('close', () => far.destroy());
    far.on('data', (bytes) => frozen || near.write(bytes)).on('close', () => near.destroy());
  });
  await once(relay.listen(0, '127.0.0.1'), 'listening');
  const url = new URL(databaseUrl);
  url.searchParams.delete('host');
  url.host = `127.0.0.1:${(relay.address() as AddressInfo).port}`;
  return {
    url: url.href,
    freeze: () => {
      frozen = true;
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      relay.close();
    },
  };
}
