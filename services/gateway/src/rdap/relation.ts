import { BelowLevel } from '@cadastre/proto/search';
import { loadDocuments, nearestOf, searchAnswer, strictlyAround, topOf } from '@cadastre/rdap';
import { type AddressRange, formatPrefix, type ObjectTypeName } from '@cadastre/rpsl';
import type { FastifyReply } from 'fastify';
import { shortCall } from '../backends/call-options.js';
import type { Context } from '../context.js';
import { HttpError } from '../errors.js';
import { chargeReads } from '../limits/exceeded.js';
import { rdapContent } from '../openapi/content.js';
import { parameter } from '../parameters.js';
import { clientGone } from '../reply/reply-end.js';
import type { RouteReply } from '../reply/send.js';
import { messages } from '../ripe-messages.js';
import type { PathParameters, Resource, Route, RouteRequest } from '../route.js';
import { type Found, showingFor } from './found.js';
import { rdapDialect, registryOf } from './registry.js';
import { foundReply, rdapReply } from './reply.js';

const query = {
  status: parameter.text('`active` skips inactive objects; for `rdap-up` and `rdap-top` only.', {
    example: 'active',
  }),
};

type RelationRequest = RouteRequest<PathParameters, typeof query>;

/** The objects of a kind, which enclose each other. */
export interface Tree {
  readonly kind: 'ips' | 'domains';
  /** Name of the key in the path. */
  readonly parameter: string;
  /** The addresses of a key. Throws an HttpError (400, 404, 501). */
  readonly read: (key: string) => AddressRange;
  readonly typeOf: (range: AddressRange) => ObjectTypeName;
  /** Schemas of one object, and of several. */
  readonly schemas: [string, string];
  /** The types of the objects that enclose a range. */
  readonly types: readonly ObjectTypeName[];
  /** The object with a range. */
  readonly nearest: (context: Context, request: RouteRequest, range: AddressRange) => Promise<Found | undefined>;
}

/** How an object is related to a key (rdap.md 3.1): upwards to one object, downwards to any number. */
const relations = {
  'rdap-up': { direction: 'up', choose: nearestOf },
  'rdap-top': { direction: 'up', choose: topOf },
  'rdap-down': { direction: 'down', level: BelowLevel.BELOW_LEVEL_FIRST },
  'rdap-bottom': { direction: 'down', level: BelowLevel.BELOW_LEVEL_BOTTOM },
} as const;

type RelationName = keyof typeof relations;

/** Maximum number of objects of an answer. */
const maxShown = 100;
/** The search service refuses more. */
const maxFound = 10_000;

/** GET of the objects that are related to a key (RFC 9910). */
export function relation(tree: Tree, summary: string, id: string): Resource {
  const { kind, parameter: name, schemas } = tree;
  const route: Route<PathParameters, typeof query> = {
    id,
    tag: 'RDAP',
    summary,
    doc: `Returns the relations of the key (RFC 9910): with \`rdap-up\` the smallest object that encloses it, and with \`rdap-top\` the largest one that is no administrative block, each as a lookup does; with \`rdap-down\` those on the first level inside it, and with \`rdap-bottom\` those without others inside, as a search does. At most ${maxShown} are shown, and a result of more than ${maxFound} is refused.`,
    query,
    success: { doc: 'The object, or the objects.', content: rdapContent(...schemas) },
    refusals: {
      404: 'The object does not exist.',
      501: 'The relation does not support this status.',
    },
    credentials: 'optional',
    isCached: true,
    handler: (context, request, reply) => related(context, request, reply, tree),
  };
  return { ...rdapDialect, name: `rdap-${kind}-relation`, url: relationUrl(kind, name), load: 'search', GET: route };
}

/** The URL of relations. */
export function relationUrl(kind: string, key: string): string {
  return `/rdap/${kind}/rirSearch1/:relation/:${key}`;
}

async function related(
  context: Context,
  request: RelationRequest,
  reply: FastifyReply,
  tree: Tree,
): Promise<RouteReply> {
  const { status } = request.query;
  const wanted = relations[requireRelation(request)];
  if (status !== '' && (wanted.direction === 'down' || status !== 'active')) {
    throw new HttpError(501, messages.noSuchStatus());
  }
  const key = request.params[tree.parameter]!;
  const range = tree.read(key);
  if (wanted.direction === 'down') return replyBelow(context, request, reply, { tree, key, range, ...wanted });
  return foundReply(context, request, reply, async () => {
    const lineage = await context.findLineage(tree.types, formatPrefix(range), shortCall(context, request));
    const around = strictlyAround(lineage, range);
    const { policy } = registryOf(context, request);
    const chosen = wanted.choose(policy, around, { isActive: status === 'active' });
    const found = chosen && (await tree.nearest(context, request, chosen.range));
    if (found === undefined) throw new HttpError(404, messages.noneAround(key));
    return found;
  });
}

/** Throws an HttpError (400) for an unknown relation. */
export function requireRelation({ params: { relation = '' } }: Pick<RelationRequest, 'params'>): RelationName {
  if (!Object.hasOwn(relations, relation)) throw new HttpError(400, messages.unknownRelation(relation));
  return relation as RelationName;
}

interface Below {
  readonly tree: Tree;
  readonly key: string;
  readonly range: AddressRange;
  readonly level: BelowLevel;
}

async function replyBelow(
  context: Context,
  request: RelationRequest,
  reply: FastifyReply,
  { tree, key, range, level }: Below,
): Promise<RouteReply> {
  const showing = showingFor(context, request, reply);
  const signal = clientGone(reply);
  const type = tree.typeOf(range);
  const requested = { source: '', resource: formatPrefix(range), type, level, limit: maxShown };
  const client = request.limitedClient.id;
  const below = await context.search.listBelow({ ...requested, client }, { ...shortCall(context, request), signal });
  chargeReads(context, request.limitedClient)(below.processingMs);
  if (below.tooMany) throw new HttpError(400, messages.tooManyBelow(maxFound));
  const names = below.keys.map((one) => ({ type, key: one }));
  const { objects, isWhole } = await context.lookUpPage(names, signal);
  const shown = await loadDocuments(
    showing,
    objects.map((object) => ({ object })),
  );
  const documents = shown.flatMap((one) => (one ? [one.nested] : []));
  if (documents.length === 0) throw new HttpError(404, messages.noneBelow(key));
  const isCut = !isWhole || below.objects > below.keys.length;
  const cut = isCut ? { cut: isWhole ? maxShown : documents.length } : {};
  return rdapReply(searchAnswer(showing.registry, showing.requested, tree.kind, documents, cut));
}
