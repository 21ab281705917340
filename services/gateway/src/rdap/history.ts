// /rdap/history/ip/:range, …/autnum/:number, …/domain/:domain, …/entity/:handle

import { LookupStatus, type Version } from '@cadastre/proto/objects';
import { type ObjectKey, Operation, type RegistryObject } from '@cadastre/proto/registry';
import { entityTypes, pageSize, type RequestedPage } from '@cadastre/rdap';
import { formatPrefix, formatRange, isRoot, isWholeSpace } from '@cadastre/rpsl';
import { ServiceError } from '@cadastre/service';
import type { FastifyReply } from 'fastify';
import { shortCall } from '../backends/call-options.js';
import type { Context } from '../context.js';
import { HttpError } from '../errors.js';
import { readInTurn } from '../limits/costly-reads.js';
import { countIfPersonal } from '../limits/personal-objects.js';
import { rdapContent } from '../openapi/content.js';
import type { Operation as Description } from '../openapi/operation.js';
import { takeMemory } from '../reply/held-replies.js';
import { clientGone } from '../reply/reply-end.js';
import type { RouteReply } from '../reply/send.js';
import { messages } from '../ripe-messages.js';
import type { PathParameters, Resource, Route, RouteRequest } from '../route.js';
import { requireAsNumber, requireHandle, requireNetwork, requireZone } from './keys.js';
import { pagingQuery, requestedPage } from './paging.js';
import { rdapDialect, registryOf, requestUrl } from './registry.js';

/** An object by its type and key, in the main source. */
type Name = Pick<ObjectKey, 'type' | 'key'>;

/** The path of the history of one kind of objects. */
interface HistoryOf extends Pick<Description, 'id' | 'summary' | 'refusals'> {
  readonly path: string;
  /** Name of the key in the path. */
  readonly parameter: string;
  /**
   * The objects that a key may mean: the first one that exists counts, else the first one that existed. Throws an
   * HttpError (400, 404, 501).
   */
  readonly namesOf: (key: string) => readonly Name[];
  /** The object for a key when none of these exists or existed: one object or none. */
  readonly nearest?: (context: Context, key: string) => Promise<readonly Name[]>;
}

const historyQuery = { cursor: pagingQuery.cursor };

type HistoryRequest = RouteRequest<PathParameters, typeof historyQuery>;

function historyResource({ path, parameter, namesOf, nearest, refusals, ...description }: HistoryOf): Resource {
  const route: Route<PathParameters, typeof historyQuery> = {
    ...description,
    tag: 'RDAP',
    doc: `Returns the states of the object, the newest first, with the times between which each applied, as APNIC's \`history_version_0\` describes. Also of an object that was deleted. A response has at most ${pageSize} states and about 1 MiB of their texts, and at least one state; \`paging_metadata\` has a link to the older ones (RFC 8977). A state is filtered like a version: no e-mail addresses, no addresses and no contacts but holders and mntners. Each state of a person counts as one that the client has seen.`,
    query: historyQuery,
    success: { doc: 'The states.', content: rdapContent('RdapHistory') },
    refusals: { 404: 'The object never existed, or all its texts were erased.', ...refusals },
    credentials: 'optional',
    showsObjects: true,
    async handler(context, request, reply) {
      const key = request.params[parameter]!;
      const history =
        (await newestHistory(context, request, namesOf(key))) ??
        (await newestHistory(context, request, (await nearest?.(context, key)) ?? []));
      if (history === undefined) throw new HttpError(404, messages.noHistory(key));
      // Reserved until the reply itself is.
      const texts = takeMemory(context, request.limitedClient.id, pageBytes);
      try {
        return await replyStates(context, request, reply, history, key);
      } finally {
        texts.release();
      }
    },
  };
  return {
    ...rdapDialect,
    name: `rdap-history-${path}`,
    url: `/rdap/history/${path}/:${parameter}`,
    load: 'search',
    GET: route,
  };
}

/** The versions of an object, oldest first. */
interface ObjectHistory {
  readonly name: Name;
  readonly versions: readonly Version[];
  readonly hasOlder: boolean;
}

/** The history of the first of these objects that exists, else of the first that existed. */
async function newestHistory(
  context: Context,
  request: HistoryRequest,
  names: readonly Name[],
): Promise<ObjectHistory | undefined> {
  const all = await Promise.all(names.map((name) => historyOf(context, request, name)));
  const found = all.filter((one) => one !== undefined);
  return found.find(({ versions }) => !isDeletion(versions.at(-1)!)) ?? found[0];
}

/** The history of an object, or its part up to a revision, with the version after that. */
async function historyOf(
  context: Context,
  request: HistoryRequest,
  name: Name,
  upToRevision?: number,
): Promise<ObjectHistory | undefined> {
  const key = { source: context.settings.source, ...name };
  try {
    const { versions, hasOlder = false } = await context.reader.listVersions(
      { key, client: request.limitedClient.id, upToRevision },
      shortCall(context, request),
    );
    return { name, versions, hasOlder };
  } catch (error) {
    // A type without objects of this form of key.
    if (error instanceof ServiceError && ['not-found', 'invalid'].includes(error.kind)) return undefined;
    throw error;
  }
}

function isDeletion({ operation }: Version): boolean {
  return operation === Operation.OPERATION_DELETE;
}

/** Replies with a page of states, counted if they are of a person. */
async function replyStates(
  context: Context,
  request: HistoryRequest,
  reply: FastifyReply,
  newest: ObjectHistory,
  key: string,
): Promise<RouteReply> {
  const { name } = newest;
  const requested = requestedPage(request.query);
  const revision = requested.number === 1 ? undefined : revisionOf(requested);
  const isOlder = revision !== undefined && newest.hasOlder;
  const { versions } = (isOlder && (await historyOf(context, request, name, revision))) || newest;
  const states = versions
    .map((version, at) => ({ version, until: versions[at + 1]?.instant }))
    .filter(({ version }) => version.instant !== undefined && !isDeletion(version))
    .reverse();
  const first = revision === undefined ? 0 : states.findIndex(({ version }) => version.revision <= revision);
  const signal = clientGone(reply);
  const page = await readInTurn(context, request, reply, (gone) =>
    readPage(context, name, states.slice(first < 0 ? states.length : first), request.limitedClient.id, {
      ...shortCall(context, request),
      signal: AbortSignal.any([signal, gone]),
    }),
  );
  for (const { object } of page.states) {
    const tooMany = await countIfPersonal(context, request, object);
    if (tooMany) throw tooMany;
  }
  const asking = { client: request.limitedClient, gone: () => signal };
  const content = await context.renderer.history(
    {
      ...{ registry: registryOf(context, request), url: requestUrl(request), requested },
      states: page.states.map(({ version, until, object }) => ({ from: version.instant!, until, object })),
      next: page.next?.version.revision,
    },
    asking,
  );
  if (content === undefined) throw new HttpError(404, messages.noHistory(key));
  return { status: 200, content };
}

/** The revision at which a page resumes. Throws an HttpError (400). */
function revisionOf({ cursor }: RequestedPage): number {
  const text = cursor.toString('latin1');
  if (!/^[1-9]\d{0,9}$/.test(text)) throw new HttpError(400, messages.invalidCursor());
  return Number(text);
}

/** A state, and its end; without an end it is the current one. */
interface State {
  readonly version: Version;
  readonly until: Date | undefined;
}

/** States with their texts, and the first one that does not fit beside them. */
interface StatesPage {
  readonly states: readonly (State & { readonly object: RegistryObject })[];
  readonly next: State | undefined;
}

/** Memory for a page during its creation: the size of a response of objects, and as much for the document. */
const pageBytes = 3 * 1024 * 1024;

/** Characters of a page; its first state may be longer. */
const pageCharacters = 1024 * 1024;

/** Reads a page of states, newest first, without those with erased texts. A call returns about 2 MiB at most. */
async function readPage(
  { reader, settings: { source } }: Context,
  name: Name,
  states: readonly State[],
  client: string,
  call: ReturnType<typeof shortCall> & { readonly signal: AbortSignal },
): Promise<StatesPage> {
  const found: (State & { readonly object: RegistryObject })[] = [];
  let characters = 0;
  let at = 0;
  while (found.length === 0 && at < states.length) {
    const lookups = states.slice(at, at + pageSize).map(({ version: { serial: value } }) => {
      return { key: { source, ...name }, moment: { point: { $case: 'serial' as const, value } }, nearest: false };
    });
    const { answers } = await reader.batchLookupPast({ lookups, client }, call);
    for (const { status, object } of answers) {
      if (status === LookupStatus.LOOKUP_STATUS_ASK_AGAIN) break;
      const state = states[at]!;
      if (status === LookupStatus.LOOKUP_STATUS_FOUND && object) {
        characters += object.text.length;
        if (found.length > 0 && characters > pageCharacters) break;
        found.push({ ...state, object });
      }
      at++;
    }
  }
  return { states: found, next: states[at] };
}

/** GET of the states of one object each. */
export const historyResources: readonly Resource[] = [
  historyResource({
    path: 'ip',
    parameter: 'range',
    id: 'getRdapIpHistory',
    summary: 'List the states of a network by RDAP',
    namesOf(key) {
      const range = requireNetwork(key);
      return [{ type: range.family === 4 ? 'inetnum' : 'inet6num', key: formatRange(range) }];
    },
    async nearest({ findNetworks }, key) {
      const range = requireNetwork(key);
      const [object] = await findNetworks(formatPrefix(range));
      const isNothing = object === undefined || (isRoot(object) && !isWholeSpace(range));
      return isNothing ? [] : [{ type: object.type, key: object.key }];
    },
  }),
  historyResource({
    path: 'autnum',
    parameter: 'number',
    id: 'getRdapAutnumHistory',
    summary: 'List the states of an AS number by RDAP',
    namesOf: (key) => [{ type: 'aut-num', key: `AS${requireAsNumber(key)}` }],
  }),
  historyResource({
    path: 'domain',
    parameter: 'domain',
    id: 'getRdapDomainHistory',
    summary: 'List the states of a reverse zone by RDAP',
    refusals: { 501: 'The domain is one of telephone numbers.' },
    namesOf: (key) => [{ type: 'domain', key: requireZone(key).name }],
    async nearest({ findZones }, key) {
      const found = await findZones(formatPrefix(requireZone(key).range));
      return found.slice(0, 1);
    },
  }),
  historyResource({
    path: 'entity',
    parameter: 'handle',
    id: 'getRdapEntityHistory',
    summary: 'List the states of a contact or a holder by RDAP',
    namesOf: (key) => entityTypes.map((type) => ({ type, key: requireHandle(key) })),
  }),
];
