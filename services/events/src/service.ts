import { createLogger, createMetrics, createRpcService, type Logger, mutualTls, type Service } from '@cadastre/service';
import { mailSender } from './mail/send-mails.js';
import { openTransport } from './mail/transport.js';
import { connectOutbox, type Outbox } from './objects-client.js';
import type { EventsSettings } from './settings.js';

/** Replacements of the usual parts in tests. */
export interface EventsOverrides {
  logger?: Logger;
  outbox?: Outbox;
  pollMs?: number;
}

/** Makes the events service: it sends what writes tell others. Its gRPC interface has only health and reflection. */
export async function createEventsService(
  settings: EventsSettings,
  overrides: EventsOverrides = {},
): Promise<Service & { address(): string }> {
  const logger = overrides.logger ?? createLogger({ service: 'events', level: settings.logLevel });
  const metrics = createMetrics('events');
  const tls = mutualTls(settings, { logger, metrics });
  const outbox = overrides.outbox ?? connectOutbox({ address: settings.objectsAddress, tls, metrics });
  const transport = openTransport(settings);
  const mails = mailSender({
    outbox,
    transport,
    sender: {
      name: settings.mailName ?? settings.source.toUpperCase(),
      from: settings.mailFrom,
      baseUrl: settings.baseUrl?.replace(/\/+$/, ''),
    },
    connections: settings.mailConnections,
    logger,
    metrics,
    pollMs: overrides.pollMs,
  });
  return createRpcService({
    name: 'events',
    settings,
    logger,
    metrics,
    tls,
    implementations: [],
    allowedCallers: {},
    // Settles nothing: shows that objects and its database respond. Mails wait for an unavailable mail server.
    checks: { objects: async () => void (await outbox.settleNotifications({ settlements: [] })) },
    prepare: () => mails.start(),
    drain: () => mails.stop(),
    release: async () => {
      transport.close();
      outbox.close();
    },
  });
}
