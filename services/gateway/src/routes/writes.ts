import {
  ChangeAction,
  type SubmittedObject,
  type WriteOptions,
  WriteOutcome,
  type WriteResult,
} from '@cadastre/proto/objects';
import type { Message } from '@cadastre/proto/registry';
import { objectType } from '@cadastre/rpsl';
import { parseBody } from '../body/parse.js';
import { type BodyObjects, singleObject, submittedObject } from '../body/whois-resource.js';
import { forgetStored } from '../clients/lookup-cache.js';
import type { Context } from '../context.js';
import { challenge, Refusal, statusOfOutcomes } from '../errors.js';
import type { Exchange } from '../exchange.js';
import { objectEntry } from '../format/object.js';
import type { TargetOf } from '../locator.js';
import { messages } from '../messages.js';
import { whoisResources, writeContent } from '../openapi/content.js';
import type { Operation } from '../openapi/operation.js';
import { ref } from '../openapi/schemas/schema.js';
import { parameter } from '../parameters.js';
import type { Answer } from '../respond.js';
import { sourceFirst } from './addressed.js';
import type { Route } from './route.js';

const query = {
  'dry-run': parameter.flag('Tells what would happen, and stores nothing. A value that is no flag is refused.'),
  unformatted: parameter.flag('Answers values as they were written, with their spaces, line ends and comments.'),
};
const deletionQuery = {
  reason: parameter.text('Why it is deleted.', { example: 'no longer used' }),
  'dry-run': query['dry-run'],
  unformatted: query.unformatted,
};

function success(doc: string): Operation['success'] {
  return { doc, content: writeContent(whoisResources('objects')), headers: ['CADASTRE-Serial'] };
}

/** POST of a new object. */
export const objectCreation: Route<'collection', typeof query> = {
  id: 'createObject',
  tag: 'Objects',
  summary: 'Create an object',
  doc: 'The answer shows the object as it was stored, not filtered. It is found by lookups at once, by searches after a few seconds at most.',
  query,
  body: { doc: 'The object.', content: writeContent(ref('Submission')) },
  success: success('The new object.'),
  refusals: { 404: 'Something that it needs does not exist.', 409: 'It exists already.' },
  credentials: 'required',
  answer: createObject,
};

/** PUT of an object's new state. */
export const objectUpdate: Route<'object', typeof query> = {
  id: 'updateObject',
  tag: 'Objects',
  summary: 'Update an object',
  doc: 'The whole new state of an object whose type and key are those of the path. The answer shows it as it was stored, not filtered.',
  query,
  body: { doc: 'The new state.', content: writeContent(ref('Submission')) },
  success: success('The object as it is now; also when nothing changed, which a warning says.'),
  refusals: { 404: 'There is no such object.', 409: 'It would break the integrity of the registry.' },
  credentials: 'required',
  answer: updateObject,
};

/** DELETE of an object. A body is ignored. */
export const objectDeletion: Route<'object', typeof deletionQuery> = {
  id: 'deleteObject',
  tag: 'Objects',
  summary: 'Delete an object',
  doc: 'An object that others refer to cannot be deleted. The answer shows what was deleted, filtered.',
  query: deletionQuery,
  success: success('The object that was deleted.'),
  refusals: { 404: 'There is no such object.', 409: 'Other objects refer to it.' },
  credentials: 'required',
  answer: deleteObject,
};

/** POST of a mntner and the person or role that it needs, which need one another. */
export const pairCreation: Route<'references', typeof query> = {
  id: 'createPair',
  tag: 'Objects',
  summary: 'Create a mntner with its person or role',
  doc: 'A mntner names a contact, and a contact is maintained by a mntner: the first two are created together, or neither.',
  query,
  body: { doc: 'The two objects.', content: writeContent(ref('PairSubmission')) },
  success: success('The new objects.'),
  refusals: { 404: 'Something that they need does not exist.', 409: 'One of them exists already.' },
  credentials: 'required',
  answer: createPair,
};

type Written<K extends 'collection' | 'object' | 'references'> = Exchange<TargetOf<K>, typeof query>;

async function createObject(context: Context, exchange: Written<'collection'>): Promise<Answer> {
  const { source, type } = exchange.target;
  const options = writeOptions(exchange);
  const object = await singleOf(context, exchange);
  const { result } = await context.writer.createObject(
    { source, type, object, options },
    callOptions(context, exchange),
  );
  return writeAnswer(context, exchange, [result]);
}

async function updateObject(context: Context, exchange: Written<'object'>): Promise<Answer> {
  const options = writeOptions(exchange);
  const object = await singleOf(context, exchange);
  const request = { key: keyOf(exchange.target), object, options };
  const { result } = await context.writer.updateObject(request, callOptions(context, exchange));
  return writeAnswer(context, exchange, [result]);
}

async function deleteObject(
  context: Context,
  exchange: Exchange<TargetOf<'object'>, typeof deletionQuery>,
): Promise<Answer> {
  const { reason } = exchange.parameters;
  const request = { key: keyOf(exchange.target), reason, options: writeOptions(exchange) };
  const { result } = await context.writer.deleteObject(request, callOptions(context, exchange));
  return writeAnswer(context, exchange, [result]);
}

async function createPair(context: Context, exchange: Written<'references'>): Promise<Answer> {
  const options = writeOptions(exchange);
  const body = await bodyOf(context, exchange);
  const objects = await sourceFirst(context, exchange, () => pairOf(body));
  const action = ChangeAction.CHANGE_ACTION_CREATE;
  const changes = objects.map((object) => ({ action, object, reason: '' }));
  const request = { source: exchange.target.source, changes, options };
  const { results } = await context.writer.applyChanges(request, callOptions(context, exchange));
  return writeAnswer(context, exchange, results);
}

function writeOptions({ parameters, principal }: WriteExchange): WriteOptions {
  return { principal, dryRun: parameters['dry-run'] };
}

function callOptions(context: Context, { request }: Exchange) {
  return { deadlineMs: context.settings.writeDeadline, requestId: request.id };
}

function keyOf({ source, type, key }: TargetOf<'object'>) {
  return { source, type, key };
}

function bodyOf({ settings }: Context, { request }: Exchange): Promise<BodyObjects> {
  return parseBody(request.raw, {
    bytes: settings.bodyBytes,
    objects: settings.bodyObjects,
    attributes: settings.bodyAttributes,
    depth: settings.bodyDepth,
  });
}

type WriteExchange = Written<'collection' | 'object' | 'references'>;

async function singleOf(context: Context, exchange: WriteExchange): Promise<SubmittedObject> {
  const body = await bodyOf(context, exchange);
  return sourceFirst(context, exchange, () => singleObject(body));
}

function pairOf(objects: BodyObjects): SubmittedObject[] {
  const types = objects.map((attributes) => objectType(attributes[0]?.name?.trim() ?? '')?.name);
  const isPair = types.length === 2 && types.includes('mntner') && (types.includes('person') || types.includes('role'));
  if (!isPair) throw new Refusal(400, messages.pairExpected());
  return objects.map(submittedObject);
}

/** What became of writes that went in together. The cache forgets what was stored before anyone is told. */
function writeAnswer(
  context: Context,
  exchange: WriteExchange,
  answered: readonly (WriteResult | undefined)[],
): Answer {
  const results = answered.filter((result) => result !== undefined);
  if (results.length === 0) throw new Refusal(500, messages.unexpected());
  // Serials ascend; what stored nothing has 0.
  const serial = results.map((result) => result.serial).findLast((one) => one > 0n) ?? 0n;
  if (serial > 0n) forgetStored(context.cache, results);
  const status = statusOfOutcomes(results.map((result) => result.outcome));
  const { link, base, parameters } = exchange;
  const view = { base, unformatted: parameters.unformatted };
  const entries = results.flatMap(({ object }) => (object ? [objectEntry(object, view)] : []));
  return {
    status,
    headers: { ...(serial > 0n ? { 'cadastre-serial': String(serial) } : {}), ...(status === 401 ? challenge : {}) },
    content: {
      head: { link },
      objects: entries.filter((entry) => entry !== undefined),
      messages: inOrder([...results.flatMap((result) => result.messages), ...exchange.notices], results),
      tail: { terms: context.settings.termsUrl },
    },
  };
}

/** Errors, then warnings, then infos. A refusal that says nothing gets at least its status said (NOT_FOUND). */
function inOrder(list: readonly Message[], results: readonly WriteResult[]): Message[] {
  const notFound = results.some((result) => result.outcome === WriteOutcome.WRITE_OUTCOME_NOT_FOUND);
  const all = notFound && list.length === 0 ? [messages.notFound()] : [...list];
  return all.sort((a, b) => a.severity - b.severity);
}
