import type { Message } from '@cadastre/proto/registry';
import type { SearchResponse } from '@cadastre/proto/search';
import { foundEntry } from './found-object.js';
import type { ObjectView } from './object.js';
import type { Head, Tail } from './resource.js';
import type { Writer } from './writer.js';

/** What a result is shown with. */
export interface SearchDocument {
  readonly writer: Writer;
  readonly head: Head;
  readonly tail: Tail;
  readonly view: ObjectView;
  /** What to say when the result breaks off. */
  readonly brokenOff: (error: unknown) => readonly Message[];
}

/** Pieces are about this long, in characters, so that large objects do not add up. */
const pieceLength = 64 * 1024;

/**
 * A result as a document, in pieces made as they are taken. It is well-formed in any case: a failure becomes messages
 * behind the objects (decision R17).
 */
export async function* searchDocument(
  { writer, head, tail, view, brokenOff }: SearchDocument,
  pages: AsyncIterable<SearchResponse>,
): AsyncGenerator<string> {
  const messages: Message[] = [];
  let piece = writer.open(head);
  try {
    for await (const page of pages) {
      messages.push(...page.messages);
      for (const found of page.objects) {
        const entry = foundEntry(found, view);
        if (entry !== undefined) piece += writer.object(entry);
        if (piece.length < pieceLength) continue;
        yield piece;
        piece = '';
      }
      // What is known is sent before more is waited for.
      if (piece !== '') yield piece;
      piece = '';
    }
  } catch (error) {
    messages.push(...brokenOff(error));
  }
  yield piece + writer.messages(messages.sort((a, b) => a.severity - b.severity)) + writer.close(tail);
}
