import { LookupStatus, type Moment, type Version } from '@cadastre/proto/objects';
import { type ObjectKey, Operation } from '@cadastre/proto/registry';
import { document, entityTypes, type HistoryVersion, historyAnswer } from '@cadastre/rdap';
import { formatPrefix, formatRange } from '@cadastre/rpsl';
import { ServiceError } from '@cadastre/service';
import type { FastifyReply } from 'fastify';
import { readCall } from '../backends/call-options.js';
import { storedOf } from '../backends/kept-objects.js';
import type { Context } from '../context.js';
import { HttpError } from '../errors.js';
import { messages } from '../messages.js';
import type { Operation as Description } from '../openapi/operation.js';
import { countIfPersonal } from '../plugins/limits.js';
import type { RouteReply } from '../plugins/reply.js';
import type { Resource, Route, RouteRequest } from '../routes/route.js';
import { showingFor } from './found.js';
import { isRoot, isWholeSpace, requireAsNumber, requireHandle, requireNetwork, requireZone } from './keys.js';
import { rdapContent, rdapDialect } from './operation.js';
import { rdapReply } from './reply.js';

/** An object by its type and key, in the main source. */
type Name = Pick<ObjectKey, 'type' | 'key'>;

/** The path of the history of one kind of objects. */
interface HistoryOf extends Pick<Description, 'id' | 'summary' | 'refusals'> {
  readonly path: string;
  /** Name of the key in the path. */
  readonly parameter: string;
  /** What a key may mean: the first that exists, else the first that existed. Throws an HttpError (400, 404, 501). */
  readonly namesOf: (key: string) => readonly Name[];
  /** What it means when there is and was none of these: one object or none. */
  readonly nearest?: (context: Context, key: string) => Promise<readonly Name[]>;
}

const mostStates = 100;

function historyResource({ path, parameter, namesOf, nearest, refusals, ...description }: HistoryOf): Resource {
  const route: Route = {
    ...description,
    tag: 'RDAP',
    doc: `Returns the last ${mostStates} states of the object at most, the newest first, with the times between which each applied, as APNIC's \`history_version_0\` describes. Also of an object that was deleted. A state has what versions show: no e-mail addresses, no addresses and no contacts but holders and mntners. Each state of a person counts as one that the client has seen.`,
    query: {},
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
      return replyStates(context, request, reply, history, key);
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
}

/** The history of the first of these objects that exists, else of the first that existed. */
async function newestHistory(
  context: Context,
  request: RouteRequest,
  names: readonly Name[],
): Promise<ObjectHistory | undefined> {
  const all = await Promise.all(names.map((name) => historyOf(context, request, name)));
  const found = all.filter((one) => one !== undefined);
  return found.find(({ versions }) => !isDeletion(versions.at(-1)!)) ?? found[0];
}

async function historyOf(context: Context, request: RouteRequest, name: Name): Promise<ObjectHistory | undefined> {
  const key = { source: context.settings.source, ...name };
  try {
    const { versions } = await context.reader.listVersions(
      { key, client: request.limitedClient.id },
      readCall(context, request),
    );
    return { name, versions };
  } catch (error) {
    // No object of the type can have a key that is invalid.
    if (error instanceof ServiceError && ['not-found', 'invalid'].includes(error.kind)) return undefined;
    throw error;
  }
}

function isDeletion({ operation }: Version): boolean {
  return operation === Operation.OPERATION_DELETE;
}

async function replyStates(
  context: Context,
  request: RouteRequest,
  reply: FastifyReply,
  { name, versions }: ObjectHistory,
  asked: string,
): Promise<RouteReply> {
  const { registry, url, signal } = showingFor(context, request, reply);
  const states = versions
    .map((version, at) => ({ version, until: versions[at + 1]?.instant }))
    .filter(({ version }) => !isDeletion(version));
  const shown = states.slice(-mostStates).reverse();
  const key = { source: context.settings.source, ...name };
  const answers = await Promise.all(
    shown.map(({ version: { serial } }) => {
      const moment: Moment = { point: { $case: 'serial', value: serial } };
      return context.lookUpPast({ key, moment, nearest: false, client: request.limitedClient.id }, signal);
    }),
  );
  const found: HistoryVersion[] = [];
  for (const [at, { version, until }] of shown.entries()) {
    const { status, object } = answers[at]!;
    // An operator may have erased the text.
    const stored = status === LookupStatus.LOOKUP_STATUS_FOUND && object ? storedOf(object) : undefined;
    // What others were at that time is not looked up: contacts have their handles only.
    const nested = stored && document(registry, { url }, stored, { related: { objects: new Map() } });
    if (nested === undefined || version.instant === undefined) continue;
    const tooMany = await countIfPersonal(context, request, object!);
    if (tooMany) throw tooMany;
    found.push({ from: version.instant, ...(until && { until }), nested });
  }
  if (found.length === 0) throw new HttpError(404, messages.noHistory(asked));
  const cut = states.length > shown.length ? { cut: mostStates } : {};
  return rdapReply(historyAnswer(registry, { url }, found, cut));
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
      return found.filter(({ type }) => type === 'domain').slice(0, 1);
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
