import type { LimitedClient, Limiter } from '@cadastre/limits';
import type { Message } from '@cadastre/proto/registry';
import type { FoundObject, SearchResponse } from '@cadastre/proto/search';
import { createTurns, createWorkerPool, untilOnTime } from '@cadastre/service';
import { clientLeft } from '../errors.js';
import type { PageTurn } from '../limits/page-turns.js';
import { type HistoryPage, historyPageJson } from '../rdap/history-page.js';
import {
  createWriter,
  messagesAndEnd,
  type ObjectDocument,
  type ObjectList,
  renderList,
  renderObjects,
} from './render.js';
import type { Rendered, RenderTasks } from './render-worker.js';
import type { Format } from './resource.js';

/*
 * To render an object of a megabyte takes 100 ms and leaves much garbage. So small objects are rendered at once, and large
 * ones on another thread of low priority, for one client after the other (ADR 0069).
 */

/** For whom something is rendered. */
export interface Asking {
  /** Pays for the time. */
  readonly client: LimitedClient;
  /** A signal that is aborted when the client leaves, which gives up its turn. */
  gone(): AbortSignal;
}

/** The document of a search, without its objects. */
export interface SearchDocument extends Pick<ObjectDocument, 'format' | 'head' | 'tail' | 'view'> {
  /** The messages for an error that ends the result early. */
  readonly messagesOf: (error: unknown) => readonly Message[];
}

/** Renders documents of objects. */
export interface Renderer {
  /** A whole document. Throws an HttpError when the client has left, and a ServiceError when the thread takes too long. */
  document(document: ObjectDocument, asking: Asking): Promise<Buffer>;
  /**
   * The result of a search in pieces, as the reader takes them. The document is always well-formed: an error becomes
   * messages after the objects (decision R17).
   */
  search(
    document: SearchDocument,
    pages: AsyncIterable<SearchResponse>,
    asking: Asking,
  ): AsyncIterable<string | Buffer>;
  /** A page of the history of an object by RDAP, as JSON; undefined when none of its states can be read. */
  history(page: HistoryPage, asking: Asking): Promise<Buffer | undefined>;
  /** Terminates the thread. */
  close(): Promise<void>;
}

/** Characters of objects that are rendered at once: that takes a few milliseconds. */
export const smallCharacters = 32 * 1024;

/** The largest task, a single object of a megabyte, takes 0.3 s on a busy machine. */
const deadlineMs = 15_000;
const maxMemoryMb = 192;

/** Makes the renderer of a process. The thread starts with the first large object. */
export function createRenderer(limiter: Pick<Limiter, 'charge'>, pageTurn: PageTurn): Renderer {
  const script = new URL('./render-worker.js', import.meta.url);
  // The turns let one task in at a time.
  const pool = createWorkerPool<RenderTasks>({ script, threads: 1, maxWaiting: 1, deadlineMs, maxMemoryMb });
  const turns = createTurns(1);
  const onThread = async ({ client, gone }: Asking, task: () => Promise<Rendered>): Promise<Buffer> => {
    const signal = gone();
    const { bytes, ms } = await turns
      .of(client.id, signal)
      .read(async () => {
        await untilOnTime(signal);
        return task();
      })
      .catch((error) => {
        throw signal.aborted ? clientLeft() : error;
      });
    limiter.charge(client, 'processing', ms);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  };
  const listOf = async (format: Format, list: ObjectList, asking: Asking): Promise<string | Buffer> => {
    if (!isSmall(list.objects)) return onThread(asking, () => pool.run('list', format, list));
    await pageTurn(asking.client.id);
    return renderList(format, list);
  };
  return {
    async document(document, asking) {
      if (isSmall(document.objects)) return Buffer.from(renderObjects(document));
      return onThread(asking, () => pool.run('document', document));
    },
    async *search({ format, head, tail, view, messagesOf }, pages, asking) {
      const writer = createWriter(format);
      const messages: Message[] = [];
      let before = writer.open(head);
      try {
        for await (const { objects, contacts, messages: more } of pages) {
          messages.push(...more);
          for (const part of partsOf(objects)) {
            const list = await listOf(format, { objects: part, contacts, view }, asking);
            if (list.length === 0) continue;
            yield join(before + writer.join(), list);
            before = '';
          }
        }
      } catch (error) {
        messages.push(...messagesOf(error));
      }
      yield before + messagesAndEnd(writer, messages, tail);
    },
    async history(page, asking) {
      const { states } = page;
      const small = isSmall(states) ? Buffer.from(historyPageJson(page) ?? '') : undefined;
      const json = small ?? (await onThread(asking, () => pool.run('history', page)));
      return json.length === 0 ? undefined : json;
    },
    async close() {
      await pool.close();
    },
  };
}

/** Whether objects are rendered at once. */
export function isSmall(objects: readonly Pick<FoundObject, 'object'>[]): boolean {
  let characters = 0;
  for (const { object } of objects) characters += object?.text.length ?? 0;
  return characters <= smallCharacters;
}

/** Consecutive objects that are small together, and single ones that are not. */
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

function join(before: string, list: string | Buffer): string | Buffer {
  if (before === '') return list;
  return typeof list === 'string' ? before + list : Buffer.concat([Buffer.from(before), list]);
}
