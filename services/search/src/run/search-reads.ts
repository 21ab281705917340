import { type ClientTurns, withSteps } from '@cadastre/service';
import { type IndexedObject, type IndexReads, objectIdText } from '../index-port.js';

/** Characters of texts that a search may read without a slot for a large page. */
export const smallCharacters = 64 * 1024;

/** Thrown by a read that makes a search large. */
export class LargeSearchError extends Error {}

/** Maximum number of keys to remember. */
const maxKeys = 10_000;

type Page = readonly IndexedObject[];

/**
 * The index for one search. Its reads take turns; the turn that starts a query also reads its first page. Until the
 * next page of matches, it does not request loaded keys again. The read that exceeds `maxCharacters` of texts fails with
 * a LargeSearchError, and its texts are released: the index does not know how large they are before it reads them.
 */
export function searchReads(
  index: IndexReads,
  turns: ClientTurns,
  maxCharacters = Number.POSITIVE_INFINITY,
): IndexReads {
  /** Whether the object exists. */
  const loaded = new Map<string, boolean>();
  let left = maxCharacters;
  const count = (objects: Page) => {
    for (const { text } of objects) left -= text.length;
    if (left < 0) throw new LargeSearchError('The search needs a slot for large pages');
  };
  const nextOf = async (pages: AsyncIterator<Page>) => {
    const page = await pages.next();
    if (!page.done) count(page.value);
    return page;
  };
  return {
    query: (...question) =>
      turns.read(async () => {
        const matches = await index.query(...question);
        if (matches === undefined) return undefined;
        const iterator = matches.pages[Symbol.asyncIterator]();
        let first: IteratorResult<Page> | undefined = await nextOf(iterator);
        const pages = withSteps({ [Symbol.asyncIterator]: () => iterator }, async () => {
          const page = first ?? (await turns.read(() => nextOf(iterator)));
          first = undefined;
          if (!page.done) loaded.clear();
          return page;
        });
        return { serial: matches.serial, pages };
      }),
    nearestWith: (...question) => turns.read(() => index.nearestWith(...question)),
    async load(ids) {
      const answer = await turns.read(() => index.load(ids));
      count(answer.objects);
      if (loaded.size > maxKeys) loaded.clear();
      for (const id of ids) loaded.set(objectIdText(id), false);
      for (const object of answer.objects) loaded.set(objectIdText(object), true);
      for (const id of answer.later) loaded.delete(objectIdText(id));
      return answer;
    },
    async known(ids) {
      if (loaded.size === 0) return turns.read(() => index.known(ids));
      const answers = ids.map((id) => loaded.get(objectIdText(id)));
      const unknown = ids.filter((_, at) => answers[at] === undefined);
      const others = (await turns.read(() => index.known(unknown))).values();
      return answers.map((answer) => answer ?? others.next().value!);
    },
  };
}
