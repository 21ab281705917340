import { createServer, connect as dial, type Socket } from 'node:net';

/** A proxy between a client and a service on unix sockets, which breaks once, at a certain byte. */
export interface BreakingProxy {
  /** For settings: `unix:/path`. */
  readonly address: string;
  stop(): Promise<void>;
}

export interface BreakingProxyOptions {
  /** Path of the proxy's socket. */
  readonly path: string;
  /** The service, `unix:/path`. */
  readonly target: string;
  /** The direction whose bytes count. */
  readonly counted: 'sent' | 'received';
  /** The number of bytes before the break. */
  readonly bytes: number;
  /** Breaks something while no byte passes. Afterwards the proxy closes the connections if this returns "cut". */
  breakNow(): Promise<'cut' | 'continue'>;
}

export async function startBreakingProxy(o: BreakingProxyOptions): Promise<BreakingProxy> {
  const sockets = new Set<Socket>();
  let left = o.bytes;
  const pass = (from: Socket, to: Socket, isCounted: boolean) => {
    from.on('data', async (bytes) => {
      to.write(bytes);
      if (!isCounted || left <= 0) return;
      left -= bytes.length;
      if (left > 0) return;
      from.pause();
      if ((await o.breakNow()) === 'cut') for (const one of sockets) one.destroy();
      else from.resume();
    });
    from.on('error', () => {});
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
  };
  const server = createServer((client) => {
    const service = dial(o.target.replace(/^unix:/, ''));
    sockets.add(client).add(service);
    pass(client, service, o.counted === 'sent');
    pass(service, client, o.counted === 'received');
  });
  await new Promise<void>((resolve) => server.listen(o.path, resolve));
  return {
    address: `unix:${o.path}`,
    async stop() {
      for (const one of sockets) one.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
