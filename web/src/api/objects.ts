import type { Attribute, ObjectType, SubmittedAttribute, WhoisObject, WhoisResources } from '@cadastre/client';
import type { Past } from '../past/past.js';
import { nameOfLocator, type ObjectName } from '../paths.js';
import { type Message, readMessages } from './message.js';
import { answerOf, RequestFailed, registry, wholeAnswerOf } from './registry.js';

/** One value of an object. */
export interface ShownAttribute {
  readonly name: string;
  readonly value: string;
  readonly comment?: string;
  /** The object that it refers to. */
  readonly target?: ObjectName;
}

/** An object as in responses. */
export interface ShownObject {
  readonly name: ObjectName;
  readonly attributes: readonly ShownAttribute[];
  readonly tags: readonly { readonly id: string; readonly data?: string }[];
  /** Its number; only of versions, and of objects of the past. */
  readonly version?: number;
  /** Holder and abuse contact of the resource; only when the search requested them. */
  readonly holder?: { readonly key: string; readonly name: string };
  readonly abuseContact?: { readonly key: string; readonly email: string; readonly suspect: boolean };
  /** Warnings about the object; only when the search requested them. */
  readonly messages?: readonly Message[];
}

/** The result of a write or dry run, which may be a refusal. Values are as written. */
export interface WriteAnswer {
  readonly status: number;
  readonly messages: readonly Message[];
  /** The state that was stored or would be. */
  readonly object?: ShownObject;
}

/** The parameters of a name in the paths of the REST interface. */
export function pathOf({ source, type, key }: ObjectName) {
  return { source, objectType: type as ObjectType, key };
}

const objectPath = '/{source}/{objectType}/{key}';
const versionPath = '/{source}/{objectType}/{key}/versions/{version}';

/**
 * Gets one object: as in results, without e-mail addresses, or unfiltered, as far as the caller may see it. Throws a
 * RequestFailed (404 when it does not exist).
 */
export async function lookUp(name: ObjectName, unfiltered: boolean, signal?: AbortSignal): Promise<ShownObject> {
  const params = { path: pathOf(name), query: unfiltered ? { unfiltered } : {} };
  return onlyObject(await answerOf(registry.GET(objectPath, { params, signal })));
}

/**
 * Gets an object as it was. Throws a RequestFailed: 404 when it did not exist, 410 when the registry no longer has that
 * state.
 */
export async function lookUpPast(name: ObjectName, past: Past, signal?: AbortSignal): Promise<ShownObject> {
  return onlyObject(await answerOf(getPast(name, past, { signal })));
}

function onlyObject(answer: WhoisResources): ShownObject {
  const [object] = readObjects(answer);
  if (object === undefined) throw new RequestFailed(500, [{ severity: 'Error', text: 'The response has no object' }]);
  return object;
}

/** The text of an object (RPSL), and the tag of its state, with which a write refuses to change another state. */
export interface TaggedText {
  readonly text: string;
  readonly tag: string;
}

/** Gets the text of one object with its layout, as far as the caller may see it. Throws a RequestFailed. */
export async function lookUpText(name: ObjectName, signal?: AbortSignal): Promise<TaggedText> {
  const params = { path: pathOf(name), query: { unfiltered: true, unformatted: true } };
  const call = registry.GET(objectPath, { params, ...asText('text/plain'), signal });
  const { data, headers } = await wholeAnswerOf(call);
  return { text: data.replace(/\n+$/, '\n'), tag: headers.get('etag') ?? '' };
}

/** Gets one object like `lookUp` in a format of the REST interface, or as the public saw it. Throws a RequestFailed. */
export function lookUpAs(
  name: ObjectName,
  { past, unfiltered }: { readonly past: Past | undefined; readonly unfiltered: boolean },
  mediaType: string,
): Promise<string> {
  if (past) return answerOf(getPast(name, past, asText(mediaType)));
  const params = { path: pathOf(name), query: unfiltered ? { unfiltered } : {} };
  return answerOf(registry.GET(objectPath, { params, ...asText(mediaType) }));
}

/** The request of an object as it was, with further options. */
function getPast<O extends object>(name: ObjectName, past: Past, options: O) {
  if ('as-of' in past) return registry.GET(objectPath, { params: { path: pathOf(name), query: past }, ...options });
  // The registry refuses 0, and so every text that is not a number.
  const path = { ...pathOf(name), version: Number(past.version) || 0 };
  return registry.GET(versionPath, { params: { path }, ...options });
}

/** Options of a call that needs the unparsed body. */
export function asText(mediaType: string) {
  return { headers: { accept: mediaType }, parseAs: 'text' } as const;
}

export interface WriteOptions {
  /** Stores nothing. */
  readonly dryRun: boolean;
  /** The state that the write may change or delete: with another one the registry refuses it (412). */
  readonly tag?: string;
  /** Names a creation: the registry performs it once, and returns the first answer again (`Idempotency-Key`). */
  readonly key?: string;
  readonly signal?: AbortSignal;
}

/** Creates an object. Throws a RequestFailed only without a response about the object. */
export function create(source: string, type: string, attributes: readonly SubmittedAttribute[], options: WriteOptions) {
  const params = { path: { source, objectType: type as ObjectType }, query: writeQuery(options) };
  const body = bodyOf([attributes]);
  return written(registry.POST('/{source}/{objectType}', { params, body, ...sending(options) }));
}

/** Replaces an object; otherwise like `create`. */
export function update(name: ObjectName, attributes: readonly SubmittedAttribute[], options: WriteOptions) {
  const params = { path: pathOf(name), query: writeQuery(options) };
  return written(registry.PUT(objectPath, { params, body: bodyOf([attributes]), ...sending(options) }));
}

/** Creates a mntner together with the person or role that it needs; otherwise like `create`. */
export function createPair(source: string, objects: readonly (readonly SubmittedAttribute[])[], options: WriteOptions) {
  const params = { path: { source }, query: writeQuery(options) };
  return written(registry.POST('/references/{source}', { params, body: bodyOf(objects), ...sending(options) }));
}

/** Deletes an object; otherwise like `create`. */
export function remove(name: ObjectName, reason: string, options: WriteOptions): Promise<WriteAnswer> {
  const params = { path: pathOf(name), query: { ...writeQuery(options), reason } };
  return written(registry.DELETE(objectPath, { params, ...sending(options) }));
}

/** The headers of a write. */
export function sending({ tag, key, signal }: WriteOptions) {
  const headers = { ...(tag ? { 'if-match': tag } : {}), ...(key ? { 'idempotency-key': key } : {}) };
  return { headers, signal };
}

/** The query of a write. */
export function writeQuery({ dryRun }: WriteOptions) {
  return { 'dry-run': dryRun, unformatted: true };
}

function bodyOf(objects: readonly (readonly SubmittedAttribute[])[]) {
  return { objects: { object: objects.map((attribute) => ({ attributes: { attribute: [...attribute] } })) } };
}

/**
 * Statuses of responses about the object. 412: it does not have the state of the tag. 422: the key made another object.
 */
const aboutTheObject = [400, 401, 404, 409, 412, 422];

async function written(call: WriteCall): Promise<WriteAnswer> {
  const { status, messages, document } = await writtenDocument(call);
  const [object] = readObjects(document);
  return { status, messages, ...(object ? { object } : {}) };
}

type WriteCall = Parameters<typeof answerOf<WhoisResources>>[0];

/** The response to a write, which may be a refusal. Throws a RequestFailed only without a response about its objects. */
export async function writtenDocument(
  call: WriteCall,
): Promise<{ readonly status: number; readonly messages: readonly Message[]; readonly document: WhoisResources }> {
  try {
    const document = await answerOf(call);
    return { status: 200, messages: messagesIn(document), document };
  } catch (error) {
    if (!(error instanceof RequestFailed) || !aboutTheObject.includes(error.status)) throw error;
    // Another request with the same key is still running.
    if (error.retryAfterSeconds > 0) throw error;
    return { status: error.status, messages: error.messages, document: (error.document ?? {}) as WhoisResources };
  }
}

export function messagesIn({ errormessages }: WhoisResources): Message[] {
  return readMessages(errormessages?.errormessage);
}

export function readObjects({ objects }: WhoisResources): ShownObject[] {
  return (objects?.object ?? []).map(readObject);
}

function readObject(o: WhoisObject): ShownObject {
  const key = o['primary-key'].attribute.map(({ value }) => value).join('');
  const name = nameOfLocator(o.link.href) ?? { source: o.source.id.toUpperCase(), type: o.type, key };
  return {
    name,
    attributes: o.attributes.attribute.map(readAttribute),
    tags: o.tags?.tag ?? [],
    ...(o.version === undefined ? {} : { version: o.version }),
    ...(o['resource-holder'] ? { holder: o['resource-holder'] } : {}),
    ...(o['abuse-contact'] ? { abuseContact: o['abuse-contact'] } : {}),
    ...(o.objectmessages ? { messages: readMessages(o.objectmessages.objectmessage) } : {}),
  };
}

function readAttribute({ name, value, comment, link }: Attribute): ShownAttribute {
  const target = link && nameOfLocator(link.href);
  return { name, value, ...(comment === undefined ? {} : { comment }), ...(target ? { target } : {}) };
}
