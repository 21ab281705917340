import { contactTypesOf, foundEntry, type ObjectView } from '@cadastre/documents';
import type { Message } from '@cadastre/proto/registry';
import type { SearchResponse } from '@cadastre/proto/search';
import { formatMessage } from '@cadastre/service';
import { renderAbuseError } from './abuse.js';
import { createJsonWriter } from './json.js';
import type { Format, Head, Resource, Tail, Writer } from './resource.js';
import { createTextWriter } from './text.js';
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

/** Renders a whole document. */
export function render(format: Format, resource: Resource): string {
  const writer = createWriter(format);
  let document = writer.open(resource.head);
  for (const entry of resource.objects ?? []) document += writer.object(entry);
  return document + writer.messages(resource.messages ?? []) + writer.close(resource.tail ?? {});
}

/** The document of a route's errors: whois-resources, abuse-resources, plain text in any format, or that of RDAP. */
export type ErrorDocument = 'whois-resources' | 'abuse-resources' | 'text' | 'rdap';

/** Renders the body of an error; the format may differ from the one that the client asked for. */
export function renderError(
  document: Exclude<ErrorDocument, 'rdap'>,
  format: Format,
  resource: Resource,
): { format: Format; body: string } {
  if (document === 'whois-resources') return { format, body: render(format, resource) };
  const text = (resource.messages ?? []).map(formatMessage).join('\n');
  return document === 'text' ? { format: 'text', body: text } : { format, body: renderAbuseError(format, text) };
}

/** A result of a search, to be rendered page by page. */
export interface SearchDocument {
  readonly format: Format;
  readonly head: Head;
  readonly tail: Tail;
  readonly view: ObjectView;
  /** The messages for an error that ends the result early. */
  readonly messagesOf: (error: unknown) => readonly Message[];
}

/** Renders a result that one page holds; `refusal` is why there are no more objects. */
export function renderWholeSearch(
  { format, head, tail, view, messagesOf }: SearchDocument,
  page: SearchResponse,
  refusal: unknown,
): string {
  const writer = createWriter(format);
  const contacts = contactTypesOf(page);
  let document = writer.open(head);
  for (const found of page.objects) {
    const entry = foundEntry(found, view, contacts);
    if (entry !== undefined) document += writer.object(entry);
  }
  const messages = refusal === undefined ? page.messages : [...page.messages, ...messagesOf(refusal)];
  return document + messagesAndEnd(writer, messages, tail);
}

function messagesAndEnd(writer: Writer, messages: readonly Message[], tail: Tail): string {
  return writer.messages(messages.toSorted((a, b) => a.severity - b.severity)) + writer.close(tail);
}

/** Characters of a piece, about, so that large objects do not add up. */
const pieceLength = 64 * 1024;

/**
 * Renders a result in pieces, object by object, as the reader takes them. The document is always well-formed: an error
 * becomes messages after the objects (decision R17).
 */
export async function* renderSearch(
  { format, head, tail, view, messagesOf }: SearchDocument,
  pages: AsyncIterable<SearchResponse>,
): AsyncGenerator<string> {
  const writer = createWriter(format);
  const messages: Message[] = [];
  let piece = writer.open(head);
  try {
    for await (const page of pages) {
      messages.push(...page.messages);
      const contacts = contactTypesOf(page);
      for (const found of page.objects) {
        const entry = foundEntry(found, view, contacts);
        if (entry !== undefined) piece += writer.object(entry);
        if (piece.length < pieceLength) continue;
        yield piece;
        piece = '';
      }
      // Send what there is before waiting for the next page.
      if (piece !== '') yield piece;
      piece = '';
    }
  } catch (error) {
    messages.push(...messagesOf(error));
  }
  yield piece + messagesAndEnd(writer, messages, tail);
}
