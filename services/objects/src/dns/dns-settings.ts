import { type baseSettings, type Logger, setting, type Values } from '@cadastre/service';
import type { DelegationCheck } from '../write/write.js';
import { createDelegationCheck } from './check-delegation.js';
import type { DnsServer } from './query.js';

/** Settings of the name server check for domains. */
export const dnsSettings = {
  dnsResolver: setting.address({
    name: 'CADASTRE_DNS_RESOLVER',
    doc: 'IP address and port of a recursive resolver. With it, a write of a domain checks that its name servers serve it.',
    optional: true,
  }),
};

const nameServerPort = 53;

/** Less than the gateway's timeout for a write (8 s). */
const checkTimeoutMs = 6_000;

/** The check as configured. In production it does not query name servers with private addresses. */
export function delegationCheckOf(
  settings: Values<typeof dnsSettings & Pick<typeof baseSettings, 'environment'>>,
  logger: Logger,
): DelegationCheck | undefined {
  if (settings.dnsResolver === undefined) return undefined;
  return createDelegationCheck({
    resolver: serverOf(settings.dnsResolver),
    port: nameServerPort,
    timeoutMs: checkTimeoutMs,
    allowSpecialAddresses: settings.environment !== 'production',
    onFailure: (err) => logger.error({ err }, 'the name server check failed'),
  });
}

/** "192.0.2.53:53" or "[2001:db8::53]:53". */
function serverOf(address: string): DnsServer {
  const colon = address.lastIndexOf(':');
  return { address: address.slice(0, colon).replace(/^\[|\]$/g, ''), port: Number(address.slice(colon + 1)) };
}
