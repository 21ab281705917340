import type { BatchSearchResponse, SearchAnswer, SearchResponse, SearchServiceService } from '@cadastre/proto/search';
import { type Call, failureOf, type Handlers } from '@cadastre/service';

type SearchHandlers = Pick<Handlers<typeof SearchServiceService>, 'search' | 'batchSearch'>;

/**
 * The handlers of a search service whose results come from `search`: a batch has the first page of each, and a search
 * with its cursor goes on where it ended.
 */
export function searchHandlers(search: SearchHandlers['search']): SearchHandlers {
  const begun: AsyncIterator<SearchResponse>[] = [];
  return {
    async *search({ cursor }) {
      const pages = begun[Number(cursor.toString())]!;
      try {
        for (;;) {
          const { done, value } = await pages.next();
          if (done) return;
          yield { ...value, contacts: { sources: [] } };
        }
      } finally {
        await pages.return?.();
      }
    },
    async *batchSearch({ searches }, call) {
      const answers = searches.map(async ({ request }, position): Promise<BatchSearchResponse> => {
        const pages = search(request!, call as Call)[Symbol.asyncIterator]();
        const cursor = Buffer.from(String(begun.push(pages) - 1));
        return { answers: [{ position, cursor, ...(await firstOf(pages)) }] };
      });
      yield* inOrderOfTime(answers);
    },
  };
}

async function firstOf(pages: AsyncIterator<SearchResponse>): Promise<Pick<SearchAnswer, 'page' | 'failure'>> {
  try {
    return { page: (await pages.next()).value };
  } catch (error) {
    return { failure: failureOf(error) };
  }
}

async function* inOrderOfTime<T>(promises: readonly Promise<T>[]): AsyncGenerator<T> {
  const left = new Map(promises.map((promise, at) => [at, promise.then((value) => ({ at, value }))]));
  while (left.size > 0) {
    const { at, value } = await Promise.race(left.values());
    left.delete(at);
    yield value;
  }
}
