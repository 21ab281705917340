import { Operation } from '@cadastre/proto/registry';
import { asciiLowerCase } from '@cadastre/rpsl';
import { readCall } from '../backends/call-options.js';
import type { Context } from '../context.js';
import { HttpError } from '../errors.js';
import { objectEntry } from '../format/object.js';
import { messages } from '../messages.js';
import { readContent, whoisResources } from '../openapi/content.js';
import { countIfPersonal } from '../plugins/limits.js';
import { parameter } from '../plugins/parameters.js';
import type { RouteReply } from '../plugins/reply.js';
import { addressedName, type ObjectParameters, objectKeyOf, sourceFirst } from './object-address.js';
import type { Resource, Route, RouteRequest } from './route.js';

/** GET of the history of an object, deletions included (decision R15). */
const versionList: Route<ObjectParameters> = {
  id: 'listVersions',
  tag: 'Objects',
  summary: 'List the versions of an object',
  doc: 'Returns date and operation of every update. The history stays after the object is deleted, and shows the deletion; version numbers never restart.',
  query: {},
  success: { doc: 'The versions.', content: readContent(whoisResources('versions')) },
  refusals: { 404: 'The object never existed.' },
  credentials: 'optional',
  showsObjects: true,
  handler: listVersions,
};

/** The version is not checked to be a number. */
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
  success: { doc: 'The version.', content: readContent(whoisResources('objects')) },
  refusals: { 404: 'The version does not exist, or it is a deletion.' },
  credentials: 'optional',
  showsObjects: true,
  handler: getVersion,
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

const highestRevision = 0xff_ff_ff_ff;

async function listVersions(context: Context, request: RouteRequest<ObjectParameters>): Promise<RouteReply> {
  const name = objectKeyOf(request);
  await addressedName(context, request);
  const { versions } = await context.reader.listVersions({ key: name }, readCall(context, request));
  const entries = versions.map(({ revision, instant, operation }) => ({
    revision,
    date: dateText(instant),
    operation: operation === Operation.OPERATION_DELETE ? 'DEL' : 'ADD/UPD',
  }));
  const list = { type: asciiLowerCase(name.type), key: name.key, versions: entries };
  const tail = { versions: list, terms: context.settings.termsUrl, version: context.version };
  return { status: 200, content: { head: {}, tail } };
}

async function getVersion(
  context: Context,
  request: RouteRequest<VersionParameters, typeof versionQuery>,
): Promise<RouteReply> {
  const { params, query, base, format } = request;
  await addressedName(context, request);
  const revision = await sourceFirst(context, request, () => revisionOf(params.version));
  const { object } = await context.reader.getVersion(
    { key: objectKeyOf(request), revision, withContacts: format !== 'text' },
    readCall(context, request),
  );
  const tooMany = object && (await countIfPersonal(context, request, object));
  if (tooMany) throw tooMany;
  const entry = object && objectEntry(object, { base, unformatted: query.unformatted, asVersion: true });
  const tail = { terms: context.settings.termsUrl, version: context.version };
  return { status: 200, content: { head: {}, objects: entry ? [entry] : [], tail } };
}

/** The revision in a path. Throws an HttpError (400) for anything but a positive integer (decision R7). */
function revisionOf(text: string): number {
  const revision = /^\d+$/.test(text) ? Number(text) : 0;
  if (revision < 1) throw new HttpError(400, messages.invalidRevision(text));
  return Math.min(revision, highestRevision);
}

function dateText(instant: Date | undefined): string {
  return instant === undefined ? '' : `${instant.toISOString().slice(0, 19)}Z`;
}
