import { Operation } from '@cadastre/proto/registry';
import type { Context } from '../context.js';
import { Refusal } from '../errors.js';
import type { Exchange } from '../exchange.js';
import { objectEntry } from '../format/object.js';
import { spend } from '../hooks/limit.js';
import type { TargetOf } from '../locator.js';
import { messages } from '../messages.js';
import { readContent, whoisResources } from '../openapi/content.js';
import { parameter } from '../parameters.js';
import type { Answer } from '../respond.js';
import { addressedName, sourceFirst } from './addressed.js';
import type { Route } from './route.js';

/** GET of the history of an object, deletions included (decision R15). */
export const versionList: Route<'versions'> = {
  id: 'listVersions',
  tag: 'Objects',
  summary: 'List the versions of an object',
  doc: 'Date and operation of every update. The history survives the deletion of an object, and shows it; numbers never restart.',
  query: {},
  success: { doc: 'The versions.', content: readContent(whoisResources('versions')) },
  refusals: { 404: 'There never was such an object.' },
  credentials: 'optional',
  answer: listVersions,
};

const versionQuery = {
  unformatted: parameter.flag('Shows values as they were written, with their spaces, line ends and comments.'),
};

/** GET of one version of an object. */
export const objectVersion: Route<'version', typeof versionQuery> = {
  id: 'getVersion',
  tag: 'Objects',
  summary: 'Fetch one version of an object',
  doc: 'The object as it was, filtered.',
  query: versionQuery,
  success: { doc: 'The version.', content: readContent(whoisResources('objects')) },
  refusals: { 404: 'There is no such version, or it is a deletion.' },
  credentials: 'optional',
  answer: getVersion,
};

const highestRevision = 0xff_ff_ff_ff;

async function listVersions(context: Context, exchange: Exchange<TargetOf<'versions'>>): Promise<Answer> {
  const { source, type, key } = exchange.target;
  await addressedName(context, exchange);
  const request = { key: { source, type, key } };
  const { versions } = await context.reader.listVersions(request, callOptions(context, exchange));
  const entries = versions.map(({ revision, instant, operation }) => ({
    revision,
    date: dateText(instant),
    operation: operation === Operation.OPERATION_DELETE ? 'DEL' : 'ADD/UPD',
  }));
  const list = { type: type.toLowerCase(), key, versions: entries };
  const tail = { versions: list, terms: context.settings.termsUrl, version: context.version };
  return { status: 200, content: { head: {}, tail } };
}

async function getVersion(
  context: Context,
  exchange: Exchange<TargetOf<'version'>, typeof versionQuery>,
): Promise<Answer> {
  const { target, base, format } = exchange;
  const { source, type, key } = target;
  const { unformatted } = exchange.parameters;
  await addressedName(context, exchange);
  const revision = await sourceFirst(context, exchange, () => revisionOf(target.revision));
  const request = { key: { source, type, key }, revision, withContacts: format !== 'text' };
  const { object } = await context.reader.getVersion(request, callOptions(context, exchange));
  const refusal = object && (await spend(context, exchange, object));
  if (refusal) throw refusal;
  const entry = object && objectEntry(object, { base, unformatted, asVersion: true });
  const tail = { terms: context.settings.termsUrl, version: context.version };
  return { status: 200, content: { head: {}, objects: entry ? [entry] : [], tail } };
}

function callOptions(context: Context, { request }: Exchange) {
  return { deadlineMs: context.settings.readDeadline, requestId: request.id };
}

/** Not a whole number, or below 1: refused (decision R7). Beyond what a revision can be: it does not exist. */
function revisionOf(text: string): number {
  const revision = /^\d+$/.test(text) ? Number(text) : 0;
  if (revision < 1) throw new Refusal(400, messages.invalidRevision(text));
  return Math.min(revision, highestRevision);
}

function dateText(instant: Date | undefined): string {
  return instant === undefined ? '' : `${instant.toISOString().slice(0, 19)}Z`;
}
