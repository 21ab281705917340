// /metadata/sources, /metadata/templates/:objectType, /metadata/limits

import { isIP } from 'node:net';
import type { Usage } from '@cadastre/limits';
import type { Mirror } from '@cadastre/proto/mirror';
import { SourceKind, type StorageUse } from '@cadastre/proto/objects';
import {
  type AttributeUse,
  asciiLowerCase,
  isObjectTypeName,
  nonAuthoritativeName,
  objectType,
  ownMirrorName,
  templateText,
  verboseTemplateText,
} from '@cadastre/rpsl';
import { isPublicAddress } from '@cadastre/service';
import { readCall } from '../backends/call-options.js';
import { storageUseOf } from '../backends/storage-use.js';
import type { Context } from '../context.js';
import { type GrsSourceEntry, type LimitEntry, mirrorStates, originKinds } from '../documents/whois-resources.js';
import { HttpError } from '../errors.js';
import { readContent, whoisResources } from '../openapi/content.js';
import { parameter } from '../parameters.js';
import type { RouteReply } from '../reply/send.js';
import { messages } from '../ripe-messages.js';
import type { Resource, Route, RouteRequest } from '../route.js';

/** GET of the list of sources (decision R14). */
const sourceList: Route = {
  id: 'listSources',
  tag: 'Metadata',
  summary: 'List the sources',
  doc: 'Returns the sources of this registry: its main source, and the part of it with resources of other regions, which has its own name. Also returns the mirrors for queries: that of this registry, and copies of other registries, with how current they are.',
  query: {},
  success: { doc: 'The sources.', content: readContent(whoisResources('sources', 'grs-sources')) },
  credentials: 'optional',
  handler: listSources,
};

type TemplateParameters = Record<'objectType', string>;

const templateQuery = {
  verbose: parameter.flag('Explains every attribute; only in text.'),
};

/** GET of the template of an object type (decision R13); as text also with the meaning of every attribute. */
const typeTemplate: Route<TemplateParameters, typeof templateQuery> = {
  id: 'getTemplate',
  tag: 'Metadata',
  summary: 'Fetch the template of an object type',
  doc: 'Returns the attributes of an object type, how often each may occur, and which of them searches can use. An unknown type is refused with 400.',
  query: templateQuery,
  success: { doc: 'The template.', content: readContent(whoisResources('templates')) },
  credentials: 'optional',
  handler: getTemplate,
};

export const sourcesResource: Resource = { name: 'sources', url: '/metadata/sources', GET: sourceList };
export const templateResource: Resource = {
  name: 'template',
  url: '/metadata/templates/:objectType',
  GET: typeTemplate,
};

async function listSources(context: Context, request: RouteRequest): Promise<RouteReply> {
  const [{ sources }, mirrors] = await Promise.all([
    context.reader.listSources({}, readCall(context, request)),
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
    })),
  };
  return { status: 200, content: { head } };
}

function sourceEntry(name: string) {
  return { name, id: name.toLowerCase() };
}

/** What everybody may know of a mirrored source. */
function mirrorFacts(mirror: Mirror | undefined): Partial<GrsSourceEntry> {
  if (mirror === undefined) return {};
  const { kind, state, checkedAt, changedAt } = mirror;
  const origin = publicOrigin(mirror.origin);
  return {
    ...(kind in originKinds && { kind: originKinds[kind as keyof typeof originKinds] }),
    ...(origin !== '' && { origin }),
    ...(state in mirrorStates && { state: mirrorStates[state as keyof typeof mirrorStates] }),
    ...(checkedAt && { checked: timestamp(checkedAt) }),
    ...(changedAt && { changed: timestamp(changedAt) }),
  };
}

async function getTemplate(
  context: Context,
  { params, query, link }: RouteRequest<TemplateParameters, typeof templateQuery>,
): Promise<RouteReply> {
  const type = asciiLowerCase(params.objectType);
  if (!isObjectTypeName(type)) throw new HttpError(400, messages.invalidObjectType(params.objectType));
  const template = {
    type,
    source: context.settings.source.toLowerCase(),
    attributes: objectType(type)!.attributes.map(templateAttribute),
    text: query.verbose ? verboseTemplateText(type) : templateText(type),
  };
  return { status: 200, content: { head: { link, service: 'getObjectTemplate', templates: [template] } } };
}

const keyNames = { primary: 'PRIMARY_KEY', lookup: 'LOOKUP_KEY', inverse: 'INVERSE_KEY' };
const keyOrder = ['primary', 'lookup', 'inverse'] as const;

function templateAttribute({ name, requirement, cardinality, keys }: AttributeUse) {
  return {
    name,
    requirement: requirement === 'deprecated' ? 'OPTIONAL' : requirement.toUpperCase(),
    cardinality: cardinality.toUpperCase(),
    keys: keyOrder.filter((key) => keys.includes(key)).map((key) => keyNames[key]),
  };
}

/** GET of the limits that apply to the caller, and how much of each is used. */
const ownLimits: Route = {
  id: 'showLimits',
  tag: 'Metadata',
  summary: 'Show my limits',
  doc: 'Returns the limits of the caller, and how much of each is used.',
  query: {},
  success: { doc: 'The limits.', content: readContent(whoisResources('limits')) },
  credentials: 'optional',
  handler: showLimits,
};

export const limitsResource: Resource = { name: 'limits', url: '/metadata/limits', GET: ownLimits };

async function showLimits(context: Context, request: RouteRequest): Promise<RouteReply> {
  const { limitedClient, link } = request;
  const { today } = await storageUseOf(context, request);
  const entries = [...context.limiter.usage(limitedClient).map(limitEntry), ...(today ? [storageEntry(today)] : [])];
  return {
    status: 200,
    // Depends on the address, so caches must not keep it.
    isPublic: false,
    content: { head: { link, service: 'getLimits', limits: { client: limitedClient.name, entries } } },
  };
}

function limitEntry({ name, limit, used, window }: Usage): LimitEntry {
  return {
    name,
    most: limit,
    used,
    remaining: Math.max(0, limit - used),
    ...(window && {
      seconds: window.lengthMs / 1000,
      resets: timestamp(new Date(window.end)),
    }),
  };
}

/** The bytes of object texts that the client has stored today. */
function storageEntry({ used, limit, resets }: StorageUse): LimitEntry {
  return {
    name: 'storage',
    most: Number(limit),
    used: Number(used),
    remaining: Math.max(0, Number(limit - used)),
    ...(resets && { seconds: 86_400, resets: timestamp(resets) }),
  };
}

function timestamp(instant: Date): string {
  return `${instant.toISOString().slice(0, 19)}Z`;
}

/** Top-level domains that no public DNS has (RFC 6761, RFC 6762 appendix G, RFC 8375 for `home.arpa`, ICANN for `internal`). */
const privateDomains =
  /\.(?:localhost|local|internal|intranet|private|corp|home|lan|test|invalid|onion|home\.arpa|localdomain)$/i;

/**
 * The origin of a mirror as everybody may see it: the URL of a public web server, or `host:port` of a public host. Empty
 * for any other: files, hosts of the operator's own network, and URLs with credentials or a query, which may be secret.
 */
export function publicOrigin(origin: string): string {
  const isHostAndPort = /^(?:\[[\da-f:.]+\]|[^\s:/?#@[\]]+):\d+$/i.test(origin);
  const url = URL.parse(isHostAndPort ? `http://${origin}/` : origin);
  if (url === null || !/^https?:$/.test(url.protocol)) return '';
  const { username, password, search, hash, hostname } = url;
  const isBare = username === '' && password === '' && search === '' && hash === '';
  return isBare && isPublicHost(hostname) ? origin : '';
}

function isPublicHost(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, '');
  if (isIP(address) !== 0) return isPublicAddress(address);
  const name = hostname.replace(/\.$/, '');
  return name.includes('.') && !privateDomains.test(name);
}
