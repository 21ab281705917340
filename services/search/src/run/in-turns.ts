import { type ClientTurns, withSteps } from '@cadastre/service';
import type { IndexedObject, IndexReads } from '../index-port.js';

/** The index with reads that take turns. The turn that starts a query also reads its first page. */
export function inTurns(index: IndexReads, turns: ClientTurns): IndexReads {
  return {
    query: (...question) =>
      turns.read(async () => {
        const matches = await index.query(...question);
        if (matches === undefined) return undefined;
        const pages = matches.pages[Symbol.asyncIterator]();
        const first = await pages.next();
        return { serial: matches.serial, pages: pagesInTurns(first, pages, turns) };
      }),
    nearestWith: (...question) => turns.read(() => index.nearestWith(...question)),
    load: (ids) => turns.read(() => index.load(ids)),
    known: (ids) => turns.read(() => index.known(ids)),
  };
}

type Page = readonly IndexedObject[];

function pagesInTurns(
  first: IteratorResult<Page>,
  pages: AsyncIterator<Page>,
  turns: ClientTurns,
): AsyncIterable<Page> {
  let read: IteratorResult<Page> | undefined = first;
  return withSteps({ [Symbol.asyncIterator]: () => pages }, async () => {
    const step = read ?? (await turns.read(() => pages.next()));
    read = undefined;
    return step;
  });
}
