import { type ObjectTypeName, parseAsNumber, parseResource } from '@cadastre/rpsl';

/** A part of the number space that somebody asks about. */
export interface Resource {
  /** Type of the objects that may be registered for it. */
  readonly type: Extract<ObjectTypeName, 'inetnum' | 'inet6num' | 'aut-num'>;
  readonly text: string;
}

/** An address, prefix, IPv4 range or AS number; undefined for anything else, a block of AS numbers included. */
export function readResource(asked: string): Resource | undefined {
  const text = asked.trim();
  const resource = parseResource(text);
  if (resource === undefined) return undefined;
  if ('family' in resource) return { type: resource.family === 4 ? 'inetnum' : 'inet6num', text };
  return parseAsNumber(text) === undefined ? undefined : { type: 'aut-num', text };
}

/** The same for what has a place on earth: addresses. */
export function readAddresses(asked: string): Resource | undefined {
  const resource = readResource(asked);
  return resource?.type === 'aut-num' ? undefined : resource;
}
