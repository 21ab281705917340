import fastify from 'fastify';

/** A response as the system gave it. */
export interface Recording {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: Uint8Array;
}

/** What the bare server is told by the process that forked it. */
export interface BareServerOrder {
  readonly recordings: readonly Recording[];
  readonly key: string;
  readonly certificate: string;
}

/** The ports it then listens on. */
export interface BareServerPorts {
  readonly http: number;
  readonly https: number;
}

/** Fastify and nothing else: what an HTTP server of this kind can do at most when the answers are there already. */
async function listen(tls: { key: string; cert: string } | null, recordings: readonly Recording[]): Promise<number> {
  const app = fastify({ https: tls });
  const byPath = new Map(recordings.map((recording) => [recording.path, recording]));
  app.get('/*', (request, reply) => {
    const recording = byPath.get(request.url)!;
    return reply.headers(recording.headers).send(recording.body);
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
