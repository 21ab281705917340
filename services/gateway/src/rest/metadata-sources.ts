// /metadata/sources

import { isIP } from 'node:net';
import type { Mirror } from '@cadastre/proto/mirror';
import { SourceKind } from '@cadastre/proto/objects';
import { nonAuthoritativeName, ownMirrorName } from '@cadastre/rpsl';
import { isPublicAddress, privateTopLevelNames } from '@cadastre/service';
import { shortCall } from '../backends/call-options.js';
import type { Context } from '../context.js';
import { secondText } from '../documents/whois-resources.js';
import { type GrsSourceEntry, mirrorStates, originKinds } from '../documents/whois-resources-schema.js';
import { readContent, whoisResources } from '../openapi/content.js';
import type { RouteReply } from '../reply/send.js';
import type { Resource, Route, RouteRequest } from '../route.js';

/** GET of the list of sources (decision R14). */
const sourceList: Route = {
  id: 'listSources',
  tag: 'Metadata',
  summary: 'List the sources',
  doc: 'Returns the sources of this registry: its main source, and the part of it with resources of other regions, which has its own name. Also returns the mirrors for queries: that of this registry, and copies of other registries, with their state.',
  query: {},
  success: { doc: 'The sources.', content: readContent(whoisResources('sources', 'grs-sources')) },
  credentials: 'optional',
  handler: listSources,
};

export const sourcesResource: Resource = { name: 'sources', url: '/metadata/sources', GET: sourceList };

async function listSources(context: Context, request: RouteRequest): Promise<RouteReply> {
  const [{ sources }, mirrors] = await Promise.all([
    context.reader.listSources({}, shortCall(context, request)),
    context.mirrorCache(),
  ]);
  const named = (kind: SourceKind) =>
    sources.filter((source) => source.kind === kind).map(({ name }) => name.toUpperCase());
  const main = named(SourceKind.SOURCE_KIND_MAIN);
  const head = {
    link: request.link,
    service: 'getSupportedDataSources',
    sources: [...main, ...main.map(nonAuthoritativeName)].map(sourceEntry),
    // A mirror that is configured under this name is listed once.
    grsSources: [...new Set([...main.map(ownMirrorName), ...named(SourceKind.SOURCE_KIND_GRS)])].map((name) => ({
      ...sourceEntry(name),
      ...mirrorFacts(mirrors.get(name)),
      'grs-id': name.toLowerCase(),
    })),
  };
  return { status: 200, content: { head } };
}

function sourceEntry(name: string) {
  return { name, id: name.toLowerCase() };
}

/** The public facts of a mirrored source. */
function mirrorFacts(mirror: Mirror | undefined): Partial<GrsSourceEntry> {
  if (mirror === undefined) return {};
  const { kind, state, checkedAt, changedAt } = mirror;
  const origin = mirror.ownNetwork ? '' : publicOrigin(mirror.origin);
  return {
    ...(kind in originKinds && { kind: originKinds[kind as keyof typeof originKinds] }),
    ...(origin !== '' && { origin }),
    ...(state in mirrorStates && { state: mirrorStates[state as keyof typeof mirrorStates] }),
    ...(checkedAt && { checked: secondText(checkedAt) }),
    ...(changedAt && { changed: secondText(changedAt) }),
  };
}

/** The ends of names that no public DNS has: also those that private networks use (RFC 6762 appendix G, RFC 8375). */
const privateNames = [
  ...privateTopLevelNames,
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'home.arpa',
  'localdomain',
];

/**
 * The public form of the origin of a mirror: the URL of a public web or FTP server, or `host:port` of a public host. Empty for
 * any other: files, hosts of the operator's own network, and URLs with credentials or a query, which may be secret.
 */
export function publicOrigin(origin: string): string {
  const isHostAndPort = /^(?:\[[\da-f:.]+\]|[^\s:/?#@[\]]+):\d+$/i.test(origin);
  const url = URL.parse(isHostAndPort ? `http://${origin}/` : origin);
  if (url === null || !/^(?:https?|ftp):$/.test(url.protocol)) return '';
  const { username, password, search, hash, hostname } = url;
  const isBare = username === '' && password === '' && search === '' && hash === '';
  return isBare && isPublicHost(hostname) ? origin : '';
}

function isPublicHost(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, '');
  if (isIP(address) !== 0) return isPublicAddress(address);
  const name = hostname.replace(/\.$/, '');
  return name.includes('.') && !privateNames.some((end) => name.toLowerCase().endsWith(`.${end}`));
}
