import type { SearchResponse, SearchServiceService } from '@cadastre/proto/search';
import { failureOf, type Handlers } from '@cadastre/service';

type SearchHandlers = Pick<Handlers<typeof SearchServiceService>, 'search' | 'searchFirstPage'>;

/**
 * The handlers of a search service whose results come from `search`: its first message is the first page, and a search
 * with its cursor continues from its end.
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
    async searchFirstPage({ search: request }, call) {
      const pages = search(request!, call)[Symbol.asyncIterator]();
      const cursor = Buffer.from(String(begun.push(pages) - 1));
      try {
        return { cursor, page: (await pages.next()).value };
      } catch (error) {
        return { cursor, failure: failureOf(error) };
      }
    },
  };
}
