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
import { flagOf, textOf } from '../parameters.js';
import type { Answer } from '../respond.js';
import { sourceFirst } from './addressed.js';

/** POST of a new object. */
export async function createObject(context: Context, exchange: Exchange<TargetOf<'collection'>>): Promise<Answer> {
  const { source, type } = exchange.target;
  const options = writeOptions(exchange);
  const object = await singleOf(context, exchange);
  const { result } = await context.writer.createObject(
    { source, type, object, options },
    callOptions(context, exchange),
  );
  return writeAnswer(context, exchange, [result]);
}

/** PUT of an object's new state. */
export async function updateObject(context: Context, exchange: Exchange<TargetOf<'object'>>): Promise<Answer> {
  const options = writeOptions(exchange);
  const object = await singleOf(context, exchange);
  const request = { key: keyOf(exchange.target), object, options };
  const { result } = await context.writer.updateObject(request, callOptions(context, exchange));
  return writeAnswer(context, exchange, [result]);
}

/** DELETE of an object. A body is ignored. */
export async function deleteObject(context: Context, exchange: Exchange<TargetOf<'object'>>): Promise<Answer> {
  const reason = textOf(exchange.parameters, 'reason') ?? '';
  const request = { key: keyOf(exchange.target), reason, options: writeOptions(exchange) };
  const { result } = await context.writer.deleteObject(request, callOptions(context, exchange));
  return writeAnswer(context, exchange, [result]);
}

/** POST of a mntner and the person or role that it needs, which need one another. */
export async function createPair(context: Context, exchange: Exchange<TargetOf<'references'>>): Promise<Answer> {
  const options = writeOptions(exchange);
  const body = await bodyOf(context, exchange);
  const objects = await sourceFirst(context, exchange, () => pairOf(body));
  const action = ChangeAction.CHANGE_ACTION_CREATE;
  const changes = objects.map((object) => ({ action, object, reason: '' }));
  const request = { source: exchange.target.source, changes, options };
  const { results } = await context.writer.applyChanges(request, callOptions(context, exchange));
  return writeAnswer(context, exchange, results);
}

function writeOptions({ parameters, principal }: Exchange): WriteOptions {
  // Both flags are read before anything is sent: a mistyped one must not end in a write.
  flagOf(parameters, 'unformatted');
  return { principal, dryRun: flagOf(parameters, 'dry-run') };
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

type WriteExchange = Exchange<TargetOf<'collection' | 'object' | 'references'>>;

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
function writeAnswer(context: Context, exchange: Exchange, answered: readonly (WriteResult | undefined)[]): Answer {
  const results = answered.filter((result) => result !== undefined);
  if (results.length === 0) throw new Refusal(500, messages.unexpected());
  // Serials ascend; what stored nothing has 0.
  const serial = results.map((result) => result.serial).findLast((one) => one > 0n) ?? 0n;
  if (serial > 0n) forgetStored(context.cache, results);
  const status = statusOfOutcomes(results.map((result) => result.outcome));
  const { link, base, parameters } = exchange;
  const view = { base, unformatted: flagOf(parameters, 'unformatted') };
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
