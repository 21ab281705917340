import type { FastifyInstance } from 'fastify';
import type { Client, TrustedProxies } from '../trusted-proxies.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who sent it; to be read with `clientOf`. */
    client: Client;
  }
}

/** Finds out once per request, before everything else, who sent it. */
export function identifyClients(app: FastifyInstance, trustedProxies: TrustedProxies): void {
  app.decorateRequest('client');
  app.addHook('onRequest', (request, _reply, done) => {
    request.client = trustedProxies.clientOf(request.raw);
    done();
  });
}
