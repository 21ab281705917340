import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { plainAddress } from './address-list.js';

/** What one proxy says about the request that it was sent. */
export interface ForwardedHop {
  /** Who sent it; absent when the proxy hides it, or says what is no address. */
  readonly address: string | undefined;
  /** Scheme by which it was sent, in lower case; absent when the proxy does not say. */
  readonly scheme: string | undefined;
}

/** Which headers the proxies write: X-Forwarded-For and X-Forwarded-Proto, or Forwarded (RFC 7239). */
export type ForwardingHeaders = 'x-forwarded' | 'forwarded';

/** The hops of a request, the one nearest to the client first. Not checked: anybody can send these headers. */
export function forwardedHops(headers: IncomingHttpHeaders, kind: ForwardingHeaders): ForwardedHop[] {
  return kind === 'forwarded' ? standardHops(headers.forwarded) : customaryHops(headers);
}

/** Proxies either all append to both lists, or only the outermost one knows the scheme. */
function customaryHops(headers: IncomingHttpHeaders): ForwardedHop[] {
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

/** Elements and their pairs; text in quotes may hold the separators. */
const elementPattern = /(?:[^,"]|"(?:[^"\\]|\\.)*")+/g;
const pairPattern = /([!#$%&'*+.^_`|~\w-]+)=(?:"((?:[^"\\]|\\.)*)"|([^;,"\s]*))/g;

function standardHops(header: string | undefined): ForwardedHop[] {
  return (header?.match(elementPattern) ?? []).map((element) => {
    const pairs = new Map(
      [...element.matchAll(pairPattern)].map(([, name = '', quoted, token = '']) => [
        name.toLowerCase(),
        quoted?.replace(/\\(.)/g, '$1') ?? token,
      ]),
    );
    return { address: addressOf(pairs.get('for') ?? ''), scheme: pairs.get('proto')?.toLowerCase() };
  });
}

/** An address without brackets and port; `undefined` for "unknown", "_hidden" and everything else (section 6). */
function addressOf(node: string): string | undefined {
  const bracketed = /^\[([^\]]+)\](?::\w+)?$/.exec(node)?.[1];
  const address = plainAddress(bracketed ?? /^([\d.]+):\w+$/.exec(node)?.[1] ?? node);
  return isIP(address) === 0 || address.includes('%') ? undefined : address;
}
