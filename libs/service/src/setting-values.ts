import { isIP } from 'node:net';

/** The parsed value, or a sentence that explains the problem. */
export type Parsed<T> = { value: T } | { problem: string };

const unitMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;

export function parseInteger(text: string, min: number, max: number): Parsed<number> {
  const value = Number(text);
  const valid = /^-?\d{1,16}$/.test(text) && value >= min && value <= max;
  return valid ? { value } : { problem: `must be a whole number from ${min} to ${max}` };
}

export function parseFlag(text: string): Parsed<boolean> {
  if (text === 'true') return { value: true };
  if (text === 'false') return { value: false };
  return { problem: 'must be true or false' };
}

export function parseList(text: string): Parsed<string[]> {
  const parts = text.split(',').map((part) => part.trim());
  return { value: parts.filter((part) => part !== '') };
}

/** `name=value` pairs, separated by commas. */
export function parsePairs(text: string): Parsed<(readonly [string, string])[]> {
  const list = parseList(text);
  const pairs = 'value' in list ? list.value.map((part) => part.split('=').map((side) => side.trim())) : [];
  const wrong = pairs.find((sides) => sides.length !== 2 || sides.includes(''));
  if (wrong) return { problem: `must be comma-separated name=value pairs, not "${wrong.join('=')}"` };
  return { value: pairs.map(([name, value]) => [name!, value!] as const) };
}

/** `name=a,b name=c`: lists by their names, separated by spaces. */
export function parseLists(text: string): Parsed<(readonly [string, readonly string[]])[]> {
  const parts = text.split(/\s+/).filter((part) => part !== '');
  const wrong = parts.find((part) => !/^[^=,]+=[^=,]+(?:,[^=,]+)*$/.test(part));
  if (wrong !== undefined) return { problem: `must be NAME=a,b NAME=c, separated by spaces, not "${wrong}"` };
  return {
    value: parts.map((part) => {
      const [name = '', list = ''] = part.split('=');
      return [name, list.split(',')] as const;
    }),
  };
}

export function parseDuration(text: string): Parsed<number> {
  const match = /^(\d{1,9})(ms|s|m|h)$/.exec(text);
  if (!match) return { problem: 'must be a duration such as 500ms, 10s, 5m or 2h' };
  return { value: Number(match[1]) * unitMs[match[2] as keyof typeof unitMs] };
}

export function parseUrl(text: string): Parsed<string> {
  return URL.canParse(text) ? { value: text } : { problem: 'must be an absolute URL' };
}

/** A URL to which paths are added: without a final slash. */
export function parseBaseUrl(text: string): Parsed<string> {
  const parsed = parseUrl(text);
  return 'value' in parsed ? { value: text.replace(/\/+$/, '') } : parsed;
}

/** The URL of an HTTP proxy, possibly with credentials. */
export function parseProxyUrl(text: string): Parsed<string> {
  const problem = 'must be http://HOST:PORT or http://USER:PASSWORD@HOST:PORT';
  const url = URL.parse(text);
  if (url === null || url.protocol !== 'http:' || !/^\/?$/.test(url.pathname + url.search + url.hash))
    return { problem };
  return isEncoded(url.username + url.password) ? { value: text } : { problem };
}

/** Whether each "%" begins the code of a character. */
function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** A connection URL of PostgreSQL; the client tries only one host. */
export function parseDatabaseUrl(text: string): Parsed<string> {
  const [, authority = '', query = ''] = /^[a-z]+:\/\/([^/?]*)[^?]*\??(.*)$/s.exec(text) ?? [];
  const hosts = [authority.slice(authority.lastIndexOf('@') + 1), ...new URLSearchParams(query).getAll('host')];
  if (hosts.some((host) => host.includes(','))) {
    return { problem: 'names several hosts: use one name that always leads to the primary' };
  }
  return { value: text };
}

/** An address to call: like `address`, or several `IP:port`, separated by commas. */
export function parsePeerAddress(text: string): Parsed<string> {
  const parts = text.split(',').map((part) => part.trim());
  if (parts.length === 1) return parseAddress(text);
  const family = (part: string) => isIP(part.replace(/:\d{1,5}$/, '').replace(/^\[|\]$/g, ''));
  const families = new Set(parts.map((part) => ('value' in parseAddress(part) ? family(part) : 0)));
  if (families.size === 1 && !families.has(0)) return { value: parts.join(',') };
  return { problem: 'must be one address, or comma-separated IP:port pairs of one address family' };
}

export function parseAddress(text: string): Parsed<string> {
  const problem = 'must be host:port, [IPv6]:port or unix:/absolute/path';
  if (text.startsWith('unix:')) return /^unix:\/./.test(text) ? { value: text } : { problem };
  const match = /^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+):(\d{1,5})$/.exec(text);
  return match && Number(match[2]) <= 65_535 ? { value: text } : { problem };
}
