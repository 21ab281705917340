import { type IndexedObject, type Loaded, maximalBytes, maximalPage, type TypedKey } from '../index-port.js';
import { type Cluster, localCopy, unavailable } from './cluster.js';
import { documentId } from './generations.js';
import { type StoredDocument, toIndexed } from './stored-document.js';

/** Maximum number of documents in one request: their small texts have 1 MiB together. */
const largestRequest = 250;
/** The same for requests that do not read the documents. */
const largestQuestion = 1000;

interface Answer<D> {
  readonly docs: readonly {
    readonly found?: boolean;
    readonly _source?: D;
    readonly error?: { readonly type: string };
  }[];
}

/** The index to load from. */
export interface LoadTarget {
  readonly cluster: Cluster;
  readonly source: string;
  readonly alias: string;
  readonly signal?: AbortSignal;
}

/** The first of these objects (`SearchIndex.load`). Documents include small texts, and the sizes of the large ones. */
export async function loadObjects(
  target: LoadTarget,
  ids: readonly TypedKey[],
): Promise<Omit<Loaded, 'later'> & { count: number }> {
  const requested = ids.slice(0, largestRequest);
  const documents = await getDocuments(target, requested, 'type,key,object');
  let bytes = 0;
  const end = documents.findIndex((document) => {
    const isFirst = bytes === 0;
    bytes += document?.object.bytes ?? 0;
    return bytes > maximalBytes && !isFirst;
  });
  const count = end === -1 ? requested.length : end;
  const within = documents.slice(0, count).filter((document) => document !== undefined);
  const large = within.filter(({ object }) => object.text === undefined);
  const texts = large.length > 0 ? await getDocuments(target, large, 'type,key,object,large') : [];
  const whole = new Map(large.map((document, at) => [document, texts[at]]));
  const objects = within.flatMap((document) => {
    const read = document.object.text === undefined ? whole.get(document) : document;
    return (read && toIndexed(target.source, read)) ?? [];
  });
  return { objects, count };
}

/** Objects by key, any number, in the requested order, in parts. */
export async function* loadInParts(
  target: LoadTarget,
  ids: readonly TypedKey[],
): AsyncGenerator<readonly IndexedObject[]> {
  for (let at = 0; at < ids.length; ) {
    const { objects, count } = await loadObjects(target, ids.slice(at, at + maximalPage));
    if (objects.length > 0) yield objects;
    at += count;
  }
}

/** The objects of a page of documents, in order: reads missing texts in parts. */
export async function* objectsOf(
  target: LoadTarget,
  documents: readonly StoredDocument[],
): AsyncGenerator<readonly IndexedObject[]> {
  const large = documents.findIndex(({ object }) => object.text === undefined);
  const read = large === -1 ? documents : documents.slice(0, large);
  if (read.length > 0) yield read.flatMap((document) => toIndexed(target.source, document) ?? []);
  for (const part of partsOf(documents.slice(read.length))) yield* loadInParts(target, part);
}

/** Whether these documents exist, in the requested order. */
export async function knownObjects(target: LoadTarget, ids: readonly TypedKey[]): Promise<boolean[]> {
  const known: boolean[] = [];
  for (let at = 0; at < ids.length; at += largestQuestion) {
    const docs = await multiGet<never>(target, ids.slice(at, at + largestQuestion), { _source: false });
    known.push(...docs.map(({ found }) => found === true));
  }
  return known;
}

/**
 * The terms of documents with this prefix, without it, by key. Terms are about as large as texts, so they are also read
 * in parts.
 */
export async function termsWith(
  target: LoadTarget,
  documents: Iterable<StoredDocument>,
  start: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>();
  for (const part of partsOf(documents)) {
    const docs = await multiGet<Pick<StoredDocument, 'terms'>>(target, part, { _source_includes: 'terms' });
    for (const [at, { _source }] of docs.entries()) {
      const terms = (_source?.terms ?? []).filter((term) => term.startsWith(start));
      found.set(
        part[at]!.key,
        terms.map((term) => term.slice(start.length)),
      );
    }
  }
  return found;
}

function* partsOf(documents: Iterable<StoredDocument>): Generator<StoredDocument[]> {
  let part: StoredDocument[] = [];
  let total = 0;
  for (const document of documents) {
    const { bytes } = document.object;
    if (part.length > 0 && total + bytes > maximalBytes) {
      yield part;
      part = [];
      total = 0;
    }
    part.push(document);
    total += bytes;
  }
  if (part.length > 0) yield part;
}

async function getDocuments(
  target: LoadTarget,
  ids: readonly TypedKey[],
  fields: string,
): Promise<(StoredDocument | undefined)[]> {
  const docs = await multiGet<StoredDocument>(target, ids, { _source_includes: fields });
  return docs.map(({ _source }) => _source);
}

/** One request for documents, ordered by key, in the state that queries see. */
async function multiGet<D>(
  { cluster, alias, signal }: LoadTarget,
  ids: readonly TypedKey[],
  query: Readonly<Record<string, string | boolean>>,
): Promise<readonly Answer<D>['docs'][number][]> {
  const answer = await cluster.read<Answer<D>>({
    method: 'POST',
    path: `/${alias}/_mget`,
    query: { ...localCopy, realtime: false, ...query },
    body: { ids: ids.map(documentId) },
    ...(signal && { signal }),
  });
  const failed = answer?.docs.find(({ error }) => error && error.type !== 'index_not_found_exception');
  if (failed) throw unavailable(failed.error);
  return ids.map((_, at) => answer?.docs[at] ?? {});
}
