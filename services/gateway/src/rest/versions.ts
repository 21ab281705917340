// /:source/:objectType/:key/versions, …/versions/:version, …/versions/timemap

import { Operation } from '@cadastre/proto/registry';
import { maxRevision } from '@cadastre/query';
import { asciiLowerCase } from '@cadastre/rpsl';
import type { FastifyReply } from 'fastify';
import { shortCall } from '../backends/call-options.js';
import type { Context } from '../context.js';
import { plainFound } from '../documents/render.js';
import { secondText } from '../documents/whois-resources.js';
import { HttpError } from '../errors.js';
import { readInTurn } from '../limits/costly-reads.js';
import { countIfPersonal } from '../limits/personal-objects.js';
import { readContent, whoisResources } from '../openapi/content.js';
import { parameter } from '../parameters.js';
import type { RouteReply } from '../reply/send.js';
import { messages } from '../ripe-messages.js';
import type { Resource, Route, RouteRequest } from '../route.js';
import { asOfOf, asOfQuery, ofThePast } from './as-of.js';
import { linkFormat, mementoHeaders, timemapText } from './memento.js';
import { type ObjectParameters, objectKeyOf, requireObjectName, sourceFirst } from './object-address.js';
import { objectBody } from './object-body.js';

/** GET of the history of an object, deletions included (decision R15). */
const versionList: Route<ObjectParameters, typeof asOfQuery> = {
  id: 'listVersions',
  tag: 'Objects',
  summary: 'List the versions of an object',
  doc: 'Returns date and operation of every update. The history remains after the deletion of the object, and shows the deletion with its reason; version numbers never restart. With `as-of`, the list ends at that moment. A list has the newest 10,000 versions, and says when there are older ones.',
  query: asOfQuery,
  success: { doc: 'The versions.', content: readContent(whoisResources('versions')) },
  refusals: {
    404: 'The object never existed, or did not exist yet.',
    410: 'The registry has no history from that time.',
  },
  credentials: 'optional',
  showsObjects: true,
  handler: listVersions,
};

/** The version is any text, possibly no number. */
type VersionParameters = ObjectParameters & Readonly<Record<'version', string>>;

const versionQuery = {
  unformatted: parameter.flag('Shows values as submitted, with their spaces, line ends and comments.'),
};

/** GET of one version of an object. */
const objectVersion: Route<VersionParameters, typeof versionQuery> = {
  id: 'getVersion',
  tag: 'Objects',
  summary: 'Fetch one version of an object',
  doc: 'Returns an earlier or the current version of the object. For every caller, it omits the attributes that a filtered lookup omits (`e-mail`, `notify`, `ref-nfy`, `mnt-nfy`, `upd-to`, `changed`, `auth`), and former contacts and addresses (`address`, `contact`, `admin-c`, `tech-c`, `zone-c`, `author`, `ping-hdl`). It shows all other attributes, including `phone` and `fax-no` of persons and roles. A person or role counts as a personal object.',
  query: versionQuery,
  success: {
    doc: 'The version.',
    content: readContent(whoisResources('objects')),
    headers: ['Link', 'Memento-Datetime'],
  },
  refusals: { 404: 'The version does not exist, it is a deletion, or the operator has erased its text.' },
  credentials: 'optional',
  showsObjects: true,
  handler: getVersion,
};

/** GET of the versions in the format for archives. */
const timemap: Route<ObjectParameters> = {
  id: 'getTimemap',
  tag: 'Objects',
  summary: 'List the versions of an object as a TimeMap',
  doc: 'Returns the URLs and times of all versions but deletions, the newest 10,000, in the format of RFC 6690, for clients of the Memento protocol (RFC 7089).',
  query: {},
  success: { doc: 'The TimeMap.', content: { 'application/link-format': { schema: { type: 'string' } } } },
  refusals: { 404: 'The object never existed.' },
  credentials: 'optional',
  showsObjects: true,
  handler: getTimemap,
};

export const versionsResource: Resource = {
  name: 'versions',
  url: '/:source/:objectType/:key/versions',
  GET: versionList,
};
export const versionResource: Resource = {
  name: 'version',
  url: '/:source/:objectType/:key/versions/:version',
  GET: objectVersion,
};

export const timemapResource: Resource = {
  name: 'timemap',
  url: '/:source/:objectType/:key/versions/timemap',
  format: 'text',
  GET: timemap,
};

async function listVersions(
  context: Context,
  request: RouteRequest<ObjectParameters, typeof asOfQuery>,
  reply: FastifyReply,
): Promise<RouteReply> {
  const name = objectKeyOf(request);
  await requireObjectName(context, request);
  const asOf = asOfOf(request.query);
  const { versions, hasOlder } = await ofThePast(
    asOf,
    readInTurn(context, request, reply, (signal) => {
      const requested = { key: name, asOf, client: request.limitedClient.id };
      return context.reader.listVersions(requested, { ...shortCall(context, request), signal });
    }),
  );
  const entries = versions.map(({ revision, instant, operation, reason }) => ({
    revision,
    date: secondText(instant),
    operation: operation === Operation.OPERATION_DELETE ? 'DEL' : 'ADD/UPD',
    ...(reason && { reason: oneLine(reason) }),
  }));
  const list = { type: asciiLowerCase(name.type), key: name.key, version: entries };
  const tail = { versions: list, terms: context.settings.termsUrl, version: context.version };
  const said = hasOlder ? { messages: [messages.olderVersions(entries.length)] } : {};
  return { status: 200, content: { head: {}, ...said, tail } };
}

/** The author may have used any character. */
function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}

async function getTimemap(
  context: Context,
  request: RouteRequest<ObjectParameters>,
  reply: FastifyReply,
): Promise<RouteReply> {
  await requireObjectName(context, request);
  const { versions } = await readInTurn(context, request, reply, (signal) => {
    const requested = { key: objectKeyOf(request), client: request.limitedClient.id };
    return context.reader.listVersions(requested, { ...shortCall(context, request), signal });
  });
  const states = versions.filter(({ operation }) => operation !== Operation.OPERATION_DELETE);
  const content = Buffer.from(timemapText(request, states));
  return { status: 200, headers: { 'content-type': linkFormat }, content };
}

async function getVersion(
  context: Context,
  request: RouteRequest<VersionParameters, typeof versionQuery>,
  reply: FastifyReply,
): Promise<RouteReply> {
  const { params, format } = request;
  await requireObjectName(context, request);
  const revision = await sourceFirst(context, request, () => revisionOf(params.version));
  // Rendered in the turn of the client as well, so that it has paid when the next one begins.
  return readInTurn(context, request, reply, async (signal) => {
    const requested = { key: objectKeyOf(request), revision, withContacts: format !== 'text' };
    const { object } = await context.reader.getVersion(
      { ...requested, client: request.limitedClient.id },
      { ...shortCall(context, request), signal },
    );
    const tooMany = object && (await countIfPersonal(context, request, object));
    if (tooMany) throw tooMany;
    const headers = object && mementoHeaders(request, object);
    const content = await objectBody(context, request, reply, object ? [plainFound(object)] : [], { asVersion: true });
    return { status: 200, ...(headers && { headers }), content };
  });
}

/** The revision in a path. Throws an HttpError (400) for anything but a positive integer (decision R7). */
function revisionOf(text: string): number {
  const revision = /^\d+$/.test(text) ? Number(text) : 0;
  if (revision < 1) throw new HttpError(400, messages.invalidRevision(text));
  return Math.min(revision, maxRevision);
}
