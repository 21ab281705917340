import type { LimitedClient, Limiter } from '@cadastre/limits';
import type { Message } from '@cadastre/proto/registry';
import type { FoundObject, SearchResponse } from '@cadastre/proto/search';
import type { HistoryPage } from '@cadastre/rdap';
import { type Asker, createTextTasks, type LoopTurns, smallCharacters } from '@cadastre/service';
import { createWriter, messagesAndEnd, type ObjectDocument, type ObjectList } from '../documents/render.js';
import type { Format } from '../documents/whois-resources.js';
import { clientLeft } from '../errors.js';
import { document, expansion, history, list, type Rendered } from './render-tasks.js';

/** The client of a rendering. */
interface Asking {
  /** Is charged for the time. */
  readonly client: LimitedClient;
  /** A signal that is aborted when the client disconnects, which releases its turn. */
  gone(): AbortSignal;
}

/** The document of a search, without its objects. */
interface SearchDocument extends Pick<ObjectDocument, 'format' | 'head' | 'tail' | 'view'> {
  /** The messages for an error that ends the result early. */
  readonly messagesOf: (error: unknown) => readonly Message[];
}

/** Renders documents of objects, large ones on a thread, for one client after the other (`createTextTasks`). */
export interface Renderer {
  /**
   * A complete document. Throws an HttpError when the client has disconnected, and a ServiceError when the thread takes
   * too long.
   */
  document(document: ObjectDocument, asking: Asking): Promise<Buffer>;
  /**
   * The result of a search in pieces, as fast as the client reads. The document is always well-formed: an error becomes
   * messages after the objects (decision R17).
   */
  search(document: SearchDocument, pages: AsyncIterable<SearchResponse>, asking: Asking): AsyncIterable<Buffer>;
  /** A page of the history of an object by RDAP, as JSON; undefined when none of its states is readable. */
  history(page: HistoryPage, asking: Asking): Promise<Buffer | undefined>;
  /** The document of an expansion, from the encoded description of the whois service. */
  expansion(message: Uint8Array, withPrefixes: boolean, asking: Asking): Promise<Buffer>;
  /** Terminates the thread. */
  close(): Promise<void>;
}

/** The largest task, a single object of a megabyte, needs 0.3 s on a busy machine. */
const deadlineMs = 15_000;
const maxMemoryMb = 192;

/** Makes the renderer of a process. The thread starts with the first large object. */
export function createRenderer(limiter: Pick<Limiter, 'charge'>, pageTurn: LoopTurns['next']): Renderer {
  const tasks = new URL('./render-tasks.js', import.meta.url);
  const texts = createTextTasks({ document, expansion, history, list }, { tasks, deadlineMs, maxMemoryMb });
  const render = async ({ client, gone }: Asking, run: (asker: Asker) => Promise<Rendered>): Promise<Buffer> => {
    /** Created only for a task on the thread, for which the client is charged. */
    let signal: AbortSignal | undefined;
    const asker = { client: client.id, gone: () => (signal = gone()) };
    const { bytes, ms } = await run(asker).catch((error) => {
      throw signal?.aborted ? clientLeft() : error;
    });
    if (signal) limiter.charge(client, 'processing', ms);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  };
  const listOf = async (format: Format, objects: ObjectList, asking: Asking): Promise<Buffer> => {
    const characters = charactersOf(objects.objects);
    if (characters <= smallCharacters) await pageTurn(asking.client.id);
    return render(asking, (asker) => texts.run('list', characters, [format, objects], asker));
  };
  return {
    document: (whole, asking) =>
      render(asking, (asker) => texts.run('document', charactersOf(whole.objects), [whole], asker)),
    async *search({ format, head, tail, view, messagesOf }, pages, asking) {
      const writer = createWriter(format);
      const messages: Message[] = [];
      let before = writer.open(head);
      try {
        for await (const { objects, contacts, messages: more } of pages) {
          messages.push(...more);
          for (const part of partsOf(objects)) {
            const written = await listOf(format, { objects: part, contacts, view }, asking);
            if (written.length === 0) continue;
            yield Buffer.concat([Buffer.from(before + writer.join()), written]);
            before = '';
          }
        }
      } catch (error) {
        messages.push(...messagesOf(error));
      }
      yield Buffer.from(before + messagesAndEnd(writer, messages, tail));
    },
    async history(page, asking) {
      const json = await render(asking, (asker) => texts.run('history', charactersOf(page.states), [page], asker));
      return json.length === 0 ? undefined : json;
    },
    expansion: (message, withPrefixes, asking) =>
      render(asking, (asker) => texts.run('expansion', message.length, [message, withPrefixes], asker)),
    close: () => texts.close(),
  };
}

/** The total length of the texts of objects. */
function charactersOf(objects: readonly { readonly object?: { readonly text: string } | undefined }[]): number {
  let characters = 0;
  for (const { object } of objects) characters += object?.text.length ?? 0;
  return characters;
}

/** Whether objects are rendered immediately. */
export function isSmall(objects: readonly FoundObject[]): boolean {
  return charactersOf(objects) <= smallCharacters;
}

/** Consecutive objects that are small together, and single large ones. */
function* partsOf(objects: readonly FoundObject[]): Generator<readonly FoundObject[]> {
  let from = 0;
  let characters = 0;
  for (const [at, { object }] of objects.entries()) {
    const { length } = object?.text ?? '';
    if (at > from && characters + length > smallCharacters) {
      yield objects.slice(from, at);
      from = at;
      characters = 0;
    }
    characters += length;
  }
  if (from < objects.length) yield objects.slice(from);
}
