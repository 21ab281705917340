import type { SubmittedAttribute, WhoisResources } from '@cadastre/client';
import { type Message, readMessages } from './message.js';
import { readObjects, type ShownObject, sending, type WriteOptions, writeQuery, writtenDocument } from './objects.js';
import { registry } from './registry.js';

/** Maximum objects that the registry writes in one transaction. */
export const maxObjects = 100;

export interface BatchObject {
  /** Its new state; for a deletion at least its key. */
  readonly attributes: readonly SubmittedAttribute[];
  /** The state that it must have; empty for an object that must not exist, and for a deletion in any state. */
  readonly tag: string;
  readonly isDeletion: boolean;
}

type Result = NonNullable<WhoisResources['results']>['result'][number];

/** The outcome of one object, or of its dry run. */
export interface BatchResult {
  readonly outcome: Result['outcome'];
  readonly messages: readonly Message[];
  /** The state that was stored or would be. */
  readonly object?: ShownObject;
}

/** The result of a batch or of its dry run, which may be a refusal: then nothing is stored. */
export interface BatchAnswer {
  readonly status: number;
  /** About the whole request. */
  readonly messages: readonly Message[];
  /** One for each object, in their order; empty when the whole request was refused. */
  readonly results: readonly BatchResult[];
}

/**
 * Writes objects together, all or none. With a tag the registry updates or deletes, without one it creates, so that it
 * never overwrites a state that the user did not see. Throws a RequestFailed only without a response about the objects.
 */
export async function writeBatch(
  source: string,
  objects: readonly BatchObject[],
  { reason, ...options }: Omit<WriteOptions, 'tag'> & { readonly reason: string },
): Promise<BatchAnswer> {
  const query = { ...writeQuery(options), ...(reason === '' ? {} : { 'delete-reason': reason }) };
  const body = { objects: { object: objects.map(sentObject) } };
  const call = registry.POST('/batch/{source}', { params: { path: { source }, query }, body, ...sending(options) });
  const { status, messages, document } = await writtenDocument(call);
  const results = readResults(document);
  return { status, messages: results.length === 0 ? messages : [], results };
}

function sentObject({ attributes, tag, isDeletion }: BatchObject) {
  return {
    ...(isDeletion ? { action: 'DELETE' as const } : {}),
    ...(tag === '' ? (isDeletion ? {} : { 'if-none-match': '*' as const }) : { 'if-match': tag }),
    attributes: { attribute: [...attributes] },
  };
}

function readResults(document: WhoisResources): BatchResult[] {
  const objects = readObjects(document);
  return (document.results?.result ?? []).map(({ outcome, object: place, objectmessages }) => {
    const object = place === undefined ? undefined : objects[place - 1];
    const messages = readMessages(objectmessages?.objectmessage);
    return { outcome, messages, ...(object ? { object } : {}) };
  });
}
