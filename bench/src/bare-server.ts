import fastify from 'fastify';

/** A recorded response of the system. */
export interface Recording {
  readonly path: string;
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Uint8Array;
}

/** The message to the bare server from the process that forked it. */
export interface BareServerOrder {
  readonly recordings: readonly Recording[];
  readonly key: string;
  readonly certificate: string;
}

/** The ports that it listens on. */
export interface BareServerPorts {
  readonly http: number;
  readonly https: number;
}

/** Fastify alone: the upper limit of such an HTTP server with the responses in memory. */
async function listen(tls: { key: string; cert: string } | null, recordings: readonly Recording[]): Promise<number> {
  const app = fastify({ https: tls });
  const byPath = new Map(recordings.map((recording) => [recording.path, recording]));
  app.get('/*', (request, reply) => {
    const { status, headers, body } = byPath.get(request.url) ?? recordings.at(-1)!;
    return reply.code(status).headers(headers).send(body);
  });
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  return Number(new URL(address).port);
}

process.once('message', async ({ recordings, key, certificate }: BareServerOrder) => {
  const http = await listen(null, recordings);
  const https = await listen({ key, cert: certificate }, recordings);
  process.send?.({ http, https } satisfies BareServerPorts);
});
process.once('disconnect', () => process.exit());
