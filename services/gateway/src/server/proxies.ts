import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { plainAddress, readAddressList } from '@cadastre/service';
import type { GatewaySettings } from '../settings.js';

/** The client in front of all trusted proxies. */
export interface Client {
  /** IPv4 or IPv6 address; an IPv4 address never in its IPv6 form. */
  readonly address: string;
  /** Whether the client used HTTPS. */
  readonly secure: boolean;
}

/** Finds the client behind the trusted proxies. */
export interface TrustedProxies {
  /** The client that sent a request to the outermost trusted proxy, and the scheme that it used. */
  clientOf(request: IncomingMessage): Client;
  /** Whether a trusted proxy has this address. */
  includes(address: string | undefined): boolean;
  /** Whether a request comes from a trusted proxy. */
  sent(request: IncomingMessage): boolean;
}

/** Reads the settings. Throws a SettingsError for an entry that is neither an address nor a prefix. */
export function createTrustedProxies(settings: Pick<GatewaySettings, 'trustedProxies'>): TrustedProxies {
  const trusted = readAddressList('CADASTRE_TRUSTED_PROXIES', settings.trustedProxies);
  const sent = ({ socket }: IncomingMessage) => trusted.includes(socket.remoteAddress);
  return {
    includes: trusted.includes,
    sent,
    clientOf(request) {
      let client = peerOf(request);
      if (!isForwarded(request) || !sent(request)) return client;
      // From the nearest proxy outwards, as long as a trusted proxy wrote the entry.
      for (const { address, scheme } of forwardedHops(request.headers).reverse()) {
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

/** A quick check, because most requests are not forwarded. */
function isForwarded({ headers }: IncomingMessage): boolean {
  return headers['x-forwarded-for'] !== undefined || headers['x-forwarded-proto'] !== undefined;
}

/** The information of one proxy about the request that it received. */
interface ForwardedHop {
  /** The address of its sender; absent when the proxy hides or omits it. */
  readonly address: string | undefined;
  /** Scheme of the request in lower case; absent when the proxy omits it. */
  readonly scheme: string | undefined;
}

/**
 * The hops of a request, that nearest to the client first. Any client can send these headers: this checks no trust.
 * Either all proxies append to X-Forwarded-For and X-Forwarded-Proto, or only the outermost writes the scheme.
 */
function forwardedHops(headers: IncomingHttpHeaders): ForwardedHop[] {
  const addresses = itemsOf(headers['x-forwarded-for']);
  const schemes = itemsOf(headers['x-forwarded-proto']).map((scheme) => scheme.toLowerCase());
  if (addresses.length === 0 && schemes.length > 0) return [{ address: undefined, scheme: schemes.at(-1) }];
  const schemeOf = (index: number) => (schemes.length === addresses.length ? schemes[index] : schemes.at(-1));
  return addresses.map((address, index) => ({ address: addressOf(address), scheme: schemeOf(index) }));
}

function itemsOf(header: string | string[] | undefined): string[] {
  if (header === undefined) return [];
  return String(header)
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** An address without brackets and port; `undefined` for "unknown" and the like. */
function addressOf(node: string): string | undefined {
  const bracketed = /^\[([^\]]+)\](?::\w+)?$/.exec(node)?.[1];
  const address = plainAddress(bracketed ?? /^([\d.]+):\w+$/.exec(node)?.[1] ?? node);
  return isIP(address) === 0 || address.includes('%') ? undefined : address;
}
