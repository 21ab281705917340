import { nameOfLocator, namePath, type ObjectName } from '../paths.js';
import { type Message, readMessage, type SentMessage } from './message.js';
import { RequestFailed, requestJson, requestText } from './request.js';

/** One value of an object. */
export interface ShownAttribute {
  readonly name: string;
  readonly value: string;
  readonly comment?: string;
  /** The object that it refers to. */
  readonly target?: ObjectName;
}

/** An object as answers show it. */
export interface ShownObject {
  readonly name: ObjectName;
  readonly attributes: readonly ShownAttribute[];
  readonly tags: readonly { readonly id: string; readonly data?: string }[];
  /** Who holds the resource, and whom to write to about abuse; only when a search asked for them. */
  readonly holder?: { readonly key: string; readonly name: string };
  readonly abuseContact?: { readonly key: string; readonly email: string; readonly suspect: boolean };
}

/** What a search or a write answers. */
export interface SentResources {
  readonly objects?: { readonly object: readonly SentObject[] };
  readonly errormessages?: { readonly errormessage: readonly SentMessage[] };
}

interface SentObject {
  readonly type: string;
  readonly link: { readonly href: string };
  readonly source: { readonly id: string };
  readonly 'primary-key': { readonly attribute: readonly { name: string; value: string }[] };
  readonly attributes: { readonly attribute: readonly SentAttribute[] };
  readonly tags?: { readonly tag: readonly { id: string; data?: string }[] };
  readonly 'resource-holder'?: ShownObject['holder'];
  readonly 'abuse-contact'?: ShownObject['abuseContact'];
}

interface SentAttribute {
  readonly name: string;
  readonly value: string;
  readonly comment?: string;
  readonly link?: { readonly href: string };
}

/** An attribute of an object that is sent. */
export interface SubmittedAttribute {
  readonly name: string;
  /** With its comment; lines after the first continue it. */
  readonly value: string;
}

/** What came of a write, or would have come of it: a refusal is an answer too. Values stand as they were written. */
export interface WriteAnswer {
  readonly status: number;
  readonly messages: readonly Message[];
  /** As stored, or as it would be. */
  readonly object?: ShownObject;
}

export const restPath = (name: ObjectName) => `/${namePath(name)}`;

/** One object, as the caller may see it. Throws a RequestFailed (404 when it does not exist). */
export async function lookUp(name: ObjectName, signal?: AbortSignal): Promise<ShownObject> {
  const answer = await requestJson<SentResources>(`${restPath(name)}?unfiltered`, { signal });
  const [object] = readObjects(answer);
  if (object === undefined) throw new RequestFailed(500, [{ severity: 'Error', text: 'The answer holds no object' }]);
  return object;
}

/** The text of one object (RPSL) with its layout, as the caller may see it. Throws a RequestFailed. */
export async function lookUpText(name: ObjectName, signal?: AbortSignal): Promise<string> {
  const text = await requestText(`${restPath(name)}?unfiltered&unformatted`, { signal });
  return text.replace(/\n+$/, '\n');
}

/** Creates an object; a dry run stores nothing. Throws a RequestFailed only when there is no answer about the object. */
export function create(source: string, type: string, attributes: readonly SubmittedAttribute[], dryRun: boolean) {
  return write(`/${source}/${type}`, 'POST', dryRun, attributes);
}

/** Replaces an object; as `create`. */
export function update(name: ObjectName, attributes: readonly SubmittedAttribute[], dryRun: boolean) {
  return write(restPath(name), 'PUT', dryRun, attributes);
}

/** Creates a mntner together with the person or role that it needs; as `create`. */
export function createPair(source: string, objects: readonly (readonly SubmittedAttribute[])[], dryRun: boolean) {
  return send(`/references/${source}`, 'POST', dryRun, bodyOf(objects));
}

/** Deletes an object; as `create`. */
export function remove(name: ObjectName, reason: string, dryRun: boolean): Promise<WriteAnswer> {
  return send(`${restPath(name)}?reason=${encodeURIComponent(reason)}`, 'DELETE', dryRun);
}

function write(path: string, method: 'POST' | 'PUT', dryRun: boolean, attributes: readonly SubmittedAttribute[]) {
  return send(path, method, dryRun, bodyOf([attributes]));
}

function bodyOf(objects: readonly (readonly SubmittedAttribute[])[]) {
  return { objects: { object: objects.map((attribute) => ({ attributes: { attribute } })) } };
}

async function send(path: string, method: 'POST' | 'PUT' | 'DELETE', dryRun: boolean, body?: unknown) {
  const asked = `${path}${path.includes('?') ? '&' : '?'}unformatted&dry-run=${dryRun}`;
  try {
    const answer = await requestJson<SentResources>(asked, { method, ...(body === undefined ? {} : { body }) });
    return writeAnswer(200, answer);
  } catch (error) {
    if (!(error instanceof RequestFailed) || ![400, 401, 404, 409].includes(error.status)) throw error;
    return { ...writeAnswer(error.status, (error.body ?? {}) as SentResources), messages: error.messages };
  }
}

function writeAnswer(status: number, answer: SentResources): WriteAnswer {
  const [object] = readObjects(answer);
  return { status, messages: readMessages(answer), ...(object ? { object } : {}) };
}

export function readMessages({ errormessages }: SentResources): Message[] {
  return (errormessages?.errormessage ?? []).map(readMessage);
}

export function readObjects({ objects }: SentResources): ShownObject[] {
  return (objects?.object ?? []).map(readObject);
}

function readObject(o: SentObject): ShownObject {
  const key = o['primary-key'].attribute.map(({ value }) => value).join('');
  const name = nameOfLocator(o.link.href) ?? { source: o.source.id.toUpperCase(), type: o.type, key };
  return {
    name,
    attributes: o.attributes.attribute.map(readAttribute),
    tags: o.tags?.tag ?? [],
    ...(o['resource-holder'] ? { holder: o['resource-holder'] } : {}),
    ...(o['abuse-contact'] ? { abuseContact: o['abuse-contact'] } : {}),
  };
}

function readAttribute({ name, value, comment, link }: SentAttribute): ShownAttribute {
  const target = link && nameOfLocator(link.href);
  return { name, value, ...(comment === undefined ? {} : { comment }), ...(target ? { target } : {}) };
}
