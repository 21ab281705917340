import { pageSize, type ReverseSearchProperties, type SearchKind } from '@cadastre/rdap';
import type { ObjectTypeName } from '@cadastre/rpsl';
import type { Context } from '../context.js';
import { HttpError } from '../errors.js';
import { chargeReads } from '../limits/exceeded.js';
import { rdapContent } from '../openapi/content.js';
import { parameter } from '../parameters.js';
import { clientGone } from '../reply/reply-end.js';
import { messages } from '../ripe-messages.js';
import type { PathParameters, Resource, Route } from '../route.js';
import { pagingQuery, requestedPage, wantsTotal } from './paging.js';
import { rdapDialect } from './registry.js';
import { type FoundPage, searchReply, searchSchemas } from './search-reply.js';

/** The kinds of objects that can be found by their entities. */
type Searchable = Exclude<SearchKind, 'entities'>;

const typesOf: Readonly<Record<Searchable, readonly ObjectTypeName[]>> = {
  ips: ['inetnum', 'inet6num'],
  autnums: ['aut-num'],
  domains: ['domain'],
};

/** The attributes that refer to an entity with a role. */
const attributesOf: ReadonlyMap<string, readonly string[]> = new Map([
  ['registrant', ['org', 'mnt-by']],
  ['administrative', ['admin-c']],
  ['technical', ['tech-c', 'zone-c']],
  ['abuse', ['abuse-c', 'mnt-irt']],
]);

/** The paths of the properties in documents, for reverse_search_properties_mapping (RFC 9536). */
const propertyPaths = { handle: '$.entities[*].handle', role: '$.entities[*].roles' } as const;

/** The properties of reverse searches, for the answer to `help`. */
export const reverseSearchProperties: ReverseSearchProperties = Object.keys(typesOf).flatMap((kind) =>
  Object.keys(propertyPaths).map((property) => ({
    searchableResourceType: kind,
    relatedResourceType: 'entity',
    property,
  })),
);

const reverseQuery = {
  handle: parameter.text('Key of the person, role, organisation, mntner or irt.', {
    required: true,
    example: 'ORG-EX1-TEST',
  }),
  role: parameter.text('Its role: `registrant`, `administrative`, `technical` or `abuse`; default: any.', {
    example: 'technical',
  }),
  fn: parameter.text('Refused: search for the entity by its name first.'),
  email: parameter.text('Refused: entities cannot be found by an address.'),
  ...pagingQuery,
};

/** GET of the objects that refer to an entity. */
export function reverseSearch(kind: Searchable, id: string, summary: string): Resource {
  const route: Route<PathParameters, typeof reverseQuery> = {
    id,
    tag: 'RDAP',
    summary,
    doc: `Returns up to ${pageSize} objects that name an entity, in any of its roles or in one (RFC 9536, RFC 9910). As registrants count the organisation and each mntner of \`mnt-by\`. Abuse contacts that an object has from a network around it, or from its organisation, do not count. With more results, \`paging_metadata\` has a link to the next page (RFC 8977).`,
    query: reverseQuery,
    success: { doc: 'The objects.', content: rdapContent(searchSchemas[kind]) },
    refusals: { 404: 'No match.', 501: 'The property cannot be searched for.' },
    credentials: 'optional',
    showsObjects: true,
    handler: async (context, request, reply) => {
      const { id: requestId, query, limitedClient } = request;
      const unanswered = (['fn', 'email'] as const).find((name) => query[name] !== '');
      if (unanswered !== undefined) throw new HttpError(501, messages.notServed(unanswered));
      if (query.handle === '') throw new HttpError(400, messages.handleExpected());
      const attributes = query.role === '' ? [...attributesOf.values()].flat() : attributesOf.get(query.role);
      if (attributes === undefined) throw new HttpError(404, messages.nothingFound());
      const requested = requestedPage(query);
      const question = {
        query: query.handle,
        types: [...typesOf[kind]],
        inverseAttributes: [...attributes],
        client: limitedClient.id,
      };
      const onProcessing = chargeReads(context, limitedClient);
      const call = { requestId, signal: clientGone(reply), onProcessing };
      const [found, total] = await Promise.all([
        findReferrers(context, question, requested.cursor, call),
        wantsTotal(query) ? countReferrers(context, question, call) : undefined,
      ]);
      const properties = query.role === '' ? (['handle'] as const) : (['handle', 'role'] as const);
      const reverse = properties.map((property) => ({ property, propertyPath: propertyPaths[property] }));
      return searchReply(context, request, reply, { kind, requested, reverse }, { ...found, total });
    },
  };
  return {
    ...rdapDialect,
    name: `rdap-${kind}-of-entity`,
    url: `/rdap/${kind}/reverse_search/entity`,
    load: 'search',
    GET: route,
  };
}

/** The search for the objects that refer to an entity. */
interface Question {
  readonly query: string;
  readonly types: string[];
  readonly inverseAttributes: string[];
  readonly client: string;
}

type Call = Parameters<Context['openSearch']>[1];

/** A page of the objects that refer to the entity. Throws a ServiceError, 'not-found' when there are none. */
async function findReferrers(
  { openSearch }: Context,
  question: Question,
  cursor: Buffer,
  call: Call,
): Promise<Omit<FoundPage, 'total'>> {
  const { first, next } = await openSearch(
    {
      ...question,
      ...{ sources: [], includeTags: [], excludeTags: [], annotations: undefined, minSerial: 0n, asOf: undefined },
      flags: ['no-filtering', 'no-referenced'],
      ...{ limit: pageSize, offset: 0, brief: true },
      ...(cursor.length > 0 && { start: cursor }),
    },
    call,
  );
  // A first page of large objects ends before the limit, and the next page of the search begins there.
  return { objects: first.objects.flatMap(({ object }) => object ?? []), next: next?.start ?? new Uint8Array() };
}

/** The number of objects that refer to the entity; undefined if there are too many to count. */
async function countReferrers(
  { search, settings }: Context,
  question: Question,
  { onProcessing, ...call }: Call,
): Promise<number | undefined> {
  const deadlineMs = settings.deadlines.search;
  const answer = await search.countObjects({ ...question, source: '' }, { ...call, deadlineMs });
  const { counts, isPartial, processingMs = 0 } = answer;
  onProcessing?.(processingMs);
  return isPartial ? undefined : counts.reduce((sum, { objects }) => sum + Number(objects), 0);
}
