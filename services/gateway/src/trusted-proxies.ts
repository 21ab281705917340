import type { IncomingMessage } from 'node:http';
import { plainAddress, readAddressList } from './address-list.js';
import { forwardedHops } from './forwarded-hops.js';
import type { GatewaySettings } from './settings.js';

/** Who sent a request, in front of all trusted proxies. */
export interface Client {
  /** IPv4 or IPv6 address; an IPv4 address never in its IPv6 form. */
  readonly address: string;
  /** Whether the client used HTTPS. */
  readonly secure: boolean;
}

/** Looks through the proxies that an operator runs in front. */
export interface TrustedProxies {
  /** The client of a request: who sent it to the outermost trusted proxy, and by which scheme. */
  clientOf(request: IncomingMessage): Client;
  /** Whether a request comes from a trusted proxy. */
  sent(request: IncomingMessage): boolean;
}

/** Throws a SettingsError for what is neither an address nor a prefix. */
export function createTrustedProxies(
  settings: Pick<GatewaySettings, 'trustedProxies' | 'forwardingHeaders'>,
): TrustedProxies {
  const trusted = readAddressList('CADASTRE_TRUSTED_PROXIES', settings.trustedProxies);
  const { forwardingHeaders } = settings;
  const sent = ({ socket }: IncomingMessage) => trusted.includes(socket.remoteAddress);
  return {
    sent,
    clientOf(request) {
      let client = peerOf(request);
      if (!isForwarded(request) || !sent(request)) return client;
      // From the nearest proxy outwards, as long as what is said comes from somebody who is trusted.
      for (const { address, scheme } of forwardedHops(request.headers, forwardingHeaders).reverse()) {
        client = {
          address: address ?? client.address,
          secure: scheme === undefined ? client.secure : scheme === 'https',
        };
        if (!trusted.includes(address)) return client;
      }
      return client;
    },
  };
}

function peerOf({ socket }: IncomingMessage): Client {
  return {
    address: plainAddress(socket.remoteAddress ?? ''),
    secure: (socket as { encrypted?: boolean }).encrypted === true,
  };
}

/** Most requests are not: this is quick for them. */
function isForwarded({ headers }: IncomingMessage): boolean {
  return (
    headers['x-forwarded-for'] !== undefined ||
    headers['x-forwarded-proto'] !== undefined ||
    headers.forwarded !== undefined
  );
}
