import type { Version } from '@cadastre/proto/objects';
import type { RegistryObject } from '@cadastre/proto/registry';
import type { ReplyHeaders } from '../errors.js';
import type { RouteRequest } from '../route.js';
import type { ObjectParameters } from './object-address.js';

/** The URL of the object whose versions a request reads. */
function originalUrl({ base, params }: RouteRequest<ObjectParameters>): string {
  return encodeURI(`${base}/${params.source}/${params.objectType}/${params.key}`);
}

/** The URL of the list of all versions for archives. */
function timemapUrl(request: RouteRequest<ObjectParameters>): string {
  return `${originalUrl(request)}/versions/timemap`;
}

/** The URL of a version. */
export function versionUrl(request: RouteRequest<ObjectParameters>, revision: number): string {
  return `${originalUrl(request)}/versions/${revision}`;
}

/** The headers of a response with a version (RFC 7089 section 4.2). */
export function mementoHeaders(request: RouteRequest<ObjectParameters>, version: RegistryObject): ReplyHeaders {
  return {
    ...(version.lastModified && { 'memento-datetime': version.lastModified.toUTCString() }),
    link: `<${originalUrl(request)}>; rel="original timegate", <${timemapUrl(request)}>; rel="timemap"; type="${linkFormat}"`,
  };
}

/** Media type of a TimeMap (RFC 6690). */
export const linkFormat = 'application/link-format';

/** The list of the versions for archives, oldest first (RFC 7089 section 5). */
export function timemapText(
  request: RouteRequest<ObjectParameters>,
  versions: readonly Pick<Version, 'revision' | 'instant'>[],
): string {
  const own = [
    `<${originalUrl(request)}>;rel="original timegate"`,
    `<${timemapUrl(request)}>;rel="self";type="${linkFormat}"`,
  ];
  const mementos = versions.map(({ revision, instant }, at) => {
    const place = [...(at === 0 ? ['first'] : []), ...(at === versions.length - 1 ? ['last'] : []), 'memento'];
    const datetime = instant && `;datetime="${instant.toUTCString()}"`;
    return `<${versionUrl(request, revision)}>;rel="${place.join(' ')}"${datetime ?? ''}`;
  });
  return `${[...own, ...mementos].join(',\n')}\n`;
}
