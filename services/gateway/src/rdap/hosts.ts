import type { IncomingMessage } from 'node:http';
import type { GatewaySettings } from '../settings.js';

/** The host of a request, with its port, if it serves RDAP alone. */
export type RdapHostOf = (request: IncomingMessage) => string | undefined;

/** Tells requests to `CADASTRE_RDAP_HOSTS` from others. */
export function rdapHosts({ rdapHosts: names }: Pick<GatewaySettings, 'rdapHosts'>): RdapHostOf {
  const known = new Set(names.map((name) => name.toLowerCase()));
  if (known.size === 0) return () => undefined;
  return ({ headers }) => {
    const host = headers[':authority'] ?? headers.host;
    if (typeof host !== 'string') return undefined;
    const folded = host.toLowerCase();
    return known.has(folded.replace(/\.?(?::\d{1,5})?$/, '')) ? folded : undefined;
  };
}
