import {
  createRpcService,
  defineProgram,
  type Logger,
  networkList,
  packageVersion,
  type Service,
  SettingsError,
  serviceBasis,
} from '@cadastre/service';
import type { Sender } from './mail/compose.js';
import { mailSender } from './mail/send-mails.js';
import { type MailTransport, openTransport, type TransportSettings } from './mail/transport.js';
import { connectObjects, type Objects } from './objects-client.js';
import { allowedCallers, implementations } from './rpc/index.js';
import { type EventsSettings, eventsSettings } from './settings.js';
import { createResolver, type Reach } from './webhooks/endpoint.js';
import { webhookDelivery } from './webhooks/follow-webhooks.js';
import { ownerMails } from './webhooks/owner-mail.js';

/** Replacements of the usual parts in tests. */
export interface EventsOverrides {
  logger?: Logger;
  objects?: Objects;
  pollMs?: number;
  renewalMs?: number;
  now?: () => Date;
  reach?: Partial<Pick<Reach, 'resolver' | 'ca' | 'deadlineMs'>>;
}

const attemptMs = 15_000;
/** Requests contain only an address. */
const maxMessageBytes = 64 * 1024;
const version = packageVersion(import.meta.url);

/**
 * Makes the events service: it sends the notifications of writes, by mail and to webhooks. Operators let it send test
 * mails by gRPC. Throws a SettingsError when the settings leave it nothing to do.
 */
export async function createEventsService(
  settings: EventsSettings,
  overrides: EventsOverrides = {},
): Promise<Service & { address(): string }> {
  const basis = serviceBasis('events', settings, overrides.logger);
  const { logger, metrics, tls } = basis;
  const mail = mailOf(settings);
  const reach = {
    ...{ resolver: createResolver(), deadlineMs: attemptMs, ...overrides.reach },
    refused: refusedNetworks(settings),
    anywhere: settings.webhooksAnywhere,
    proxy: settings.egressProxy,
  };
  if (mail === undefined && !settings.webhooks) {
    throw new SettingsError(['CADASTRE_MAIL_URL or CADASTRE_WEBHOOKS: one of them is required']);
  }
  const objects = overrides.objects ?? connectObjects({ address: settings.objectsAddress, tls, metrics });
  const { pollMs, renewalMs, now = () => new Date() } = overrides;
  const parts: Service[] = [];
  if (mail !== undefined) {
    const { outbox } = objects;
    const { mailConnections: connections } = settings;
    parts.push(mailSender({ ...mail, outbox, connections, logger, metrics, pollMs, renewalMs }));
  }
  if (settings.webhooks) {
    const tellOwner = ownerMails({ mail, logger });
    const userAgent = `cadastre-events/${version}`;
    const { source: mainSource, baseUrl: base } = settings;
    parts.push(
      webhookDelivery({ ...objects, mainSource, base, reach, tellOwner, userAgent, now, logger, metrics, pollMs }),
    );
  }
  return createRpcService({
    ...basis,
    implementations: implementations({ mail, source: settings.source, logger }),
    allowedCallers,
    maxMessageBytes,
    // Settles nothing: shows that objects and its database respond. Mails wait for an unavailable mail server.
    checks: { objects: async () => void (await objects.outbox.settleNotifications({ settlements: [] })) },
    prepare: async () => void (await Promise.all(parts.map((part) => part.start()))),
    drain: async () => void (await Promise.all(parts.map((part) => part.stop()))),
    release: async () => {
      mail?.transport.close();
      objects.close();
    },
  });
}

/** What it takes to send mails. */
interface Mail {
  readonly settings: TransportSettings;
  readonly transport: MailTransport;
  readonly sender: Sender;
}

/** The parameters for mails; undefined when none are sent. */
function mailOf(settings: EventsSettings): Mail | undefined {
  const { mailUrl, mailFrom: from, mailName, source, mailCaFile, dkimSelector, dkimKey, mailConnections } = settings;
  if (mailUrl === undefined) return undefined;
  if (from === undefined) throw new SettingsError(['CADASTRE_MAIL_FROM: is required with CADASTRE_MAIL_URL']);
  const transportSettings = { mailUrl, mailFrom: from, mailCaFile, mailConnections, dkimSelector, dkimKey };
  const transport = openTransport(transportSettings);
  const { baseUrl, termsUrl } = settings;
  const name = mailName ?? source.toUpperCase();
  return { settings: transportSettings, transport, sender: { name, baseUrl, termsUrl, version, from } };
}

function refusedNetworks({ webhookRefusedNetworks: networks }: EventsSettings) {
  try {
    return networkList(networks);
  } catch {
    throw new SettingsError(['CADASTRE_WEBHOOK_REFUSED_NETWORKS: must be networks such as 192.0.2.0/24,2001:db8::/32']);
  }
}

/** The service as a program. */
export const program = defineProgram('events', eventsSettings, (settings, logger) =>
  createEventsService(settings, { logger }),
);
