import { Operation } from '@cadastre/proto/registry';
import type { Context } from '../context.js';
import { Refusal } from '../errors.js';
import type { Exchange } from '../exchange.js';
import { objectEntry } from '../format/object.js';
import { spend } from '../hooks/limit.js';
import type { TargetOf } from '../locator.js';
import { messages } from '../messages.js';
import { flagOf } from '../parameters.js';
import type { Answer } from '../respond.js';
import { addressedName, sourceFirst } from './addressed.js';

const highestRevision = 0xff_ff_ff_ff;

/** GET of the history of an object, deletions included (decision R15). */
export async function listVersions(context: Context, exchange: Exchange<TargetOf<'versions'>>): Promise<Answer> {
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

/** GET of one version of an object. */
export async function getVersion(context: Context, exchange: Exchange<TargetOf<'version'>>): Promise<Answer> {
  const { target, base, format, parameters } = exchange;
  const { source, type, key } = target;
  const unformatted = flagOf(parameters, 'unformatted');
  await addressedName(context, exchange);
  const revision = await sourceFirst(context, exchange, () => revisionOf(target.revision));
  const request = { key: { source, type, key }, revision, withContacts: format !== 'text' };
  const { object } = await context.reader.getVersion(request, callOptions(context, exchange));
  const refusal = object && spend(context, exchange, object);
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
