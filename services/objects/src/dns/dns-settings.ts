import { type baseSettings, type Logger, setting, type Values } from '@cadastre/service';
import type { DelegationCheck } from '../write/write.js';
import { createDelegationCheck } from './check-delegation.js';
import type { DnsServer } from './query.js';

/** The settings of the look at the name servers of domains. */
export const dnsSettings = {
  dnsResolver: setting.address({
    name: 'CADASTRE_DNS_RESOLVER',
    doc: 'IP address and port of a recursive resolver; with it, the name servers of domains that are written must serve them.',
    optional: true,
  }),
  dnsTimeoutMs: setting.duration({
    name: 'CADASTRE_DNS_TIMEOUT',
    doc: "How long the look at a domain's name servers may take; less than the gateway lets a write take.",
    default: '6s',
  }),
  dnsNameServerPort: setting.port({
    name: 'CADASTRE_DNS_NAME_SERVER_PORT',
    doc: 'Port on which name servers are asked; another than 53 is for trials.',
    default: 53,
  }),
};

/** The check that the settings describe. In production, name servers with private addresses are not asked. */
export function delegationCheckOf(
  settings: Values<typeof dnsSettings & Pick<typeof baseSettings, 'environment'>>,
  logger: Logger,
): DelegationCheck | undefined {
  if (settings.dnsResolver === undefined) return undefined;
  return createDelegationCheck({
    resolver: serverOf(settings.dnsResolver),
    port: settings.dnsNameServerPort,
    timeoutMs: settings.dnsTimeoutMs,
    allowSpecialAddresses: settings.environment !== 'production',
    onFailure: (err) => logger.error({ err }, 'the look at name servers failed'),
  });
}

/** "192.0.2.53:53" or "[2001:db8::53]:53". */
function serverOf(address: string): DnsServer {
  const colon = address.lastIndexOf(':');
  return { address: address.slice(0, colon).replace(/^\[|\]$/g, ''), port: Number(address.slice(colon + 1)) };
}
