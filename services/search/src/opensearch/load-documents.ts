import { type Cluster, unavailable } from './cluster.js';
import type { StoredDocument } from './stored-document.js';

/** Documents that one request asks for at most. */
const largestRequest = 500;

interface Answer {
  readonly docs: readonly { readonly _source?: StoredDocument; readonly error?: { readonly type: string } }[];
}

/** Documents by their identifiers, in that order, as queries see them; undefined where there is none. */
export async function loadDocuments(
  cluster: Cluster,
  alias: string,
  ids: readonly string[],
  signal?: AbortSignal,
): Promise<(StoredDocument | undefined)[]> {
  const loaded: (StoredDocument | undefined)[] = [];
  for (let from = 0; from < ids.length; from += largestRequest) {
    const part = ids.slice(from, from + largestRequest);
    const answer = await cluster.send<Answer>({
      method: 'POST',
      path: `/${alias}/_mget`,
      query: { realtime: false, _source_includes: 'type,key,object' },
      body: { ids: part },
      ...(signal && { signal }),
    });
    const failed = answer?.docs.find(({ error }) => error && error.type !== 'index_not_found_exception');
    if (failed) throw unavailable(failed.error);
    loaded.push(...part.map((_, i) => answer?.docs[i]?._source));
  }
  return loaded;
}
