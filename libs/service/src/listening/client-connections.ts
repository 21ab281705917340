import type { Socket } from 'node:net';

/** Counts the open connections of each client. */
export interface ConnectionBounds {
  /** Counts a new connection; false when its client has too many already. */
  opened(socket: Socket): boolean;
}

/** `clientOf` returns the id of the client at an address; without one the number of connections is not bounded. */
export function createConnectionBounds(
  perClient: number,
  clientOf: (address: string | undefined) => string | undefined,
): ConnectionBounds {
  const openOf = new Map<string, number>();
  return {
    opened(socket) {
      const client = clientOf(socket.remoteAddress);
      if (client === undefined) return true;
      const open = openOf.get(client) ?? 0;
      if (open >= perClient) return false;
      openOf.set(client, open + 1);
      socket.once('close', () => {
        const left = openOf.get(client)! - 1;
        if (left === 0) openOf.delete(client);
        else openOf.set(client, left);
      });
      return true;
    },
  };
}
