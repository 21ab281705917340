import { contactTypesOf, foundEntry, type ObjectView } from '@cadastre/documents';
import type { Message, RegistryObject } from '@cadastre/proto/registry';
import type { FoundObject, SearchResponse } from '@cadastre/proto/search';
import { formatMessage } from '@cadastre/service/errors';
import { renderAbuseError } from './abuse-resources.js';
import { createJsonWriter } from './json.js';
import { createTextWriter } from './text.js';
import type { Format, Head, Resource, Tail, Writer } from './whois-resources.js';
import { createXmlWriter } from './xml.js';

const writers: Record<Format, () => Writer> = {
  xml: createXmlWriter,
  json: createJsonWriter,
  text: createTextWriter,
};

/** Makes a writer for one document. */
export function createWriter(format: Format): Writer {
  return writers[format]();
}

/** Renders a complete document. */
export function render(format: Format, resource: Resource): string {
  const writer = createWriter(format);
  let document = writer.open(resource.head);
  for (const entry of resource.objects ?? []) document += writer.object(entry);
  return document + writer.messages(resource.messages ?? []) + writer.close(resource.tail ?? {});
}

/** The document of a route's errors: whois-resources, abuse-resources, plain text in any format, or RDAP. */
export type ErrorDocument = 'whois-resources' | 'abuse-resources' | 'text' | 'rdap';

/** Renders the body of an error; its format may differ from the requested one. */
export function renderError(
  document: Exclude<ErrorDocument, 'rdap'>,
  format: Format,
  resource: Resource,
): { format: Format; body: string } {
  if (document === 'whois-resources') return { format, body: render(format, resource) };
  const text = (resource.messages ?? []).map(formatMessage).join('\n');
  return document === 'text' ? { format: 'text', body: text } : { format, body: renderAbuseError(format, text) };
}

/** Objects from a service, and options of their document. */
export interface ObjectList {
  readonly objects: readonly FoundObject[];
  /** As in a response of a search. */
  readonly contacts?: SearchResponse['contacts'];
  readonly view: ObjectView;
}

/** A document of objects. */
export interface ObjectDocument extends ObjectList {
  readonly format: Format;
  readonly head: Head;
  readonly messages?: readonly Message[];
  readonly tail: Tail;
}

/** An object without annotations of a search. */
export function plainFound(object: RegistryObject): FoundObject {
  return { object, related: false, managedAttributes: [], managedMaintainers: [], messages: [] };
}

/** Renders a complete document of objects. */
export function renderObjects({ format, head, messages = [], tail, ...list }: ObjectDocument): string {
  const writer = createWriter(format);
  return writer.open(head) + objectTexts(writer, list) + messagesAndEnd(writer, messages, tail);
}

/** Renders objects that another writer joins to its document (`Writer.join`). */
export function renderList(format: Format, list: ObjectList): string {
  const writer = createWriter(format);
  writer.open({ listsObjects: true });
  return objectTexts(writer, list);
}

function objectTexts(writer: Writer, { objects, contacts, view }: ObjectList): string {
  const types = contactTypesOf({ contacts });
  let text = '';
  for (const found of objects) {
    const entry = foundEntry(found, view, types);
    if (entry !== undefined) text += writer.object(entry);
  }
  return text;
}

/** Messages, errors first, and the end of a document. */
export function messagesAndEnd(writer: Writer, messages: readonly Message[], tail: Tail): string {
  return writer.messages(messages.toSorted((a, b) => a.severity - b.severity)) + writer.close(tail);
}
