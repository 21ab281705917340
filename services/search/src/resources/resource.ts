import { type ObjectTypeName, parseAsNumber, parseResource } from '@cadastre/rpsl';

/** The part of the number space that a request names. */
export interface Resource {
  /** Type of the objects that register it. */
  readonly type: Extract<ObjectTypeName, 'inetnum' | 'inet6num' | 'aut-num'>;
  readonly text: string;
}

/** Parses an address, prefix, IPv4 range or AS number; undefined for other texts, including AS blocks. */
export function readResource(requested: string): Resource | undefined {
  const text = requested.trim();
  const resource = parseResource(text);
  if (resource === undefined) return undefined;
  if ('family' in resource) return { type: resource.family === 4 ? 'inetnum' : 'inet6num', text };
  return parseAsNumber(text) === undefined ? undefined : { type: 'aut-num', text };
}

/** Parses addresses only. */
export function readAddresses(requested: string): Resource | undefined {
  const resource = readResource(requested);
  return resource?.type === 'aut-num' ? undefined : resource;
}
