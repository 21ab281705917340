import type { LookupAddress, LookupOptions } from 'node:dns';
import { lookup as lookUpName } from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import { type BlockList, isIP, type LookupFunction } from 'node:net';
import { proxyRefusal, throughProxy } from './egress-proxy.js';
import { isPrivateName, isPublicAddress, reachedAddress } from './public-address.js';

/** Which addresses requests to the hosts of others may reach. */
export interface AddressRule {
  /** Also allows addresses that are not public, which may be hosts of the operator's own network. */
  readonly anywhere: boolean;
  /** Networks that are refused, even with `anywhere`. */
  readonly refused?: BlockList;
}

/** Keeps requests away from addresses that are not allowed. */
export interface Guard extends AddressRule {
  /** The addresses of a name. Default: those that the system finds. */
  readonly resolve?: (name: string) => Promise<LookupAddress[]>;
  /**
   * URL of an HTTP proxy for `guardedRequest`. It resolves the names, so only addresses in URLs and names that are never
   * public are checked here.
   */
  readonly proxy?: string | undefined;
  /** The error for a host with an address that is not allowed. */
  refusal(address: string): Error;
}

/**
 * Sends a request, and returns the response once its headers are there. Each new connection leads to an address that
 * was checked when its name was resolved: a name that resolves differently the next time gains nothing. Follows no
 * redirects. Errors: those of the guard, any of the network, and why a proxy did not send the request.
 */
export async function guardedRequest(
  url: URL,
  guard: Guard,
  { body, ...options }: https.RequestOptions & { readonly body?: string },
): Promise<http.IncomingMessage> {
  const { proxy } = guard;
  requireAllowedLiteral(url.hostname, guard);
  if (proxy !== undefined) requirePublicName(url.hostname, guard);
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  const { request } = url.protocol === 'https:' ? https : http;
  const direct = { ...options, lookup: guardedLookup(guard) };
  const sent = request(url, proxy === undefined ? direct : throughProxy(url, proxy, direct));
  const isToProxy = proxy !== undefined && url.protocol === 'http:';
  sent.on('timeout', () => {
    const peer = isToProxy ? 'the egress proxy' : 'the server';
    sent.destroy(new Error(`${peer} was silent for ${options.timeout! / 1000} seconds`));
  });
  sent.on('response', (response) => {
    if (!isToProxy || response.statusCode !== 407) return resolve(response);
    response.destroy();
    reject(proxyRefusal(407));
  });
  sent.on('error', reject).end(body);
  return promise;
}

/** Throws when a name is never that of a public host, however a proxy resolves it. */
function requirePublicName(hostname: string, guard: Guard): void {
  if (!guard.anywhere && isPrivateName(hostname)) throw guard.refusal(hostname);
}

const ports = ['', '443', '8443'];

/**
 * The part for which a URL is refused before anything is sent: only https is allowed, on its usual ports; `anywhere`
 * also allows http, and any port. `guardedRequest` checks the addresses of a name.
 */
export function refusedPart(url: URL, allowed: AddressRule): 'scheme' | 'port' | 'host' | undefined {
  const { anywhere } = allowed;
  if (url.protocol !== 'https:' && !(anywhere && url.protocol === 'http:')) return 'scheme';
  if (!anywhere && !ports.includes(url.port)) return 'port';
  return isRefusedLiteral(url.hostname, allowed) ? 'host' : undefined;
}

/** Throws when a host is an address that is not allowed. No lookup sees such a host. */
export function requireAllowedLiteral(hostname: string, guard: Guard): void {
  if (isRefusedLiteral(hostname, guard)) throw guard.refusal(withoutBrackets(hostname));
}

/** A lookup for the connection itself, so that it leads to a checked address. */
export function guardedLookup(guard: Guard): LookupFunction {
  return (name, options, done) => {
    allowedAddresses(name, guard, options).then(
      (addresses) => {
        if (options.all) done(null, addresses);
        else done(null, addresses[0]!.address, addresses[0]!.family);
      },
      (error) => done(error, ''),
    );
  };
}

/** The addresses of a host, at least one, all of them allowed. Errors: those of the guard, and of the lookup. */
export async function allowedAddresses(
  hostname: string,
  guard: Guard,
  options: LookupOptions = {},
): Promise<LookupAddress[]> {
  const host = withoutBrackets(hostname);
  const addresses = await (guard.resolve?.(host) ?? lookUpName(host, { ...options, all: true }));
  const wrong = addresses.find(({ address }) => !isAllowed(address, guard));
  if (wrong !== undefined) throw guard.refusal(wrong.address);
  if (addresses.length === 0) throw new Error(`${host} has no address`);
  return addresses;
}

function isRefusedLiteral(hostname: string, allowed: AddressRule): boolean {
  const host = withoutBrackets(hostname);
  return isIP(host) !== 0 && !isAllowed(host, allowed);
}

function isAllowed(sent: string, { anywhere, refused }: AddressRule): boolean {
  const isRefused = [sent, reachedAddress(sent)].some((address) =>
    refused?.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4'),
  );
  return (anywhere || isPublicAddress(sent)) && !isRefused;
}

function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}
