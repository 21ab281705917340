import type { FeedPosition } from '@cadastre/changes';
import type { Tag } from '@cadastre/proto/registry';
import type { Mode, Range } from '@cadastre/query';
import type { ObjectTypeName } from '@cadastre/rpsl';

/** An object of a source. */
export interface TypedKey {
  readonly type: ObjectTypeName;
  /** The folded primary key. */
  readonly key: string;
}

/** The identity of an object. */
export interface ObjectId extends TypedKey {
  /** Name of the source, upper case. */
  readonly source: string;
}

/** One text for the identity, as a key of maps and sets. */
export function objectIdText({ source, type, key }: ObjectId): string {
  return `${source}\n${type}\n${key}`;
}

/** What responses show of an object, prepared when it was indexed. */
export interface Shown {
  /** Its key in the form that responses show. */
  readonly key: string;
  /** Its text without what only some readers see; undefined if that is all of it. */
  readonly text?: string;
  /** The folded handles of persons and roles that it names, each once. */
  readonly handles: readonly string[];
}

/** An object from the index. */
export interface IndexedObject extends ObjectId {
  /** The complete object in RPSL text form (latin-1 characters only, final newline). */
  readonly text: string;
  readonly revision: number;
  /** The serial of the write that stored this state. */
  readonly serial: bigint;
  readonly created?: Date;
  readonly modified: Date;
  /** Ordered by identifier. */
  readonly tags: readonly Tag[];
  /** Absent from adapters that do not store it. */
  readonly shown?: Shown;
}

/** An object with all its search terms. */
export interface IndexDocument extends IndexedObject {
  /**
   * "name=value" in lower case, each at most once: lookup terms ("key=as64500", "nic-hdl=ab1-test", terms of
   * names (`name-terms.ts`), "netname=...", "e-mail=...") and inverse terms ("mnt-by=example-mnt", "origin=as64500").
   */
  readonly terms: readonly string[];
  /** Host names in lower case, without a final dot, for prefix search. */
  readonly hosts: readonly string[];
  /** The folded words of its names and descriptions with their ranks, 0 for those of a name (`words.ts`). */
  readonly words: ReadonlyMap<string, number>;
  /** Its folded name, besides the key; not of an object about a person. */
  readonly name?: string;
  /** The folded name of a person, or of a role that is about one: only searches for names and filters see it. */
  readonly personName?: string;
  /** Without a name, the folded first description: only filters see it. */
  readonly descr?: string;
  /** The range of the object. A domain has that of its reverse zone. */
  readonly range?: Range;
  /** The folded origin; routes only. */
  readonly origin?: string;
}

/** A position in the order of a query. */
export interface QueryPosition {
  /** Folded key. */
  readonly key: string;
  readonly range?: Range;
}

/** The types of networks and routes. Only for them a query of inverse terms may have the order of addresses. */
export const addressTypes: ReadonlySet<ObjectTypeName> = new Set(['inetnum', 'inet6num', 'route', 'route6']);

/**
 * One search among the objects of one type. It need not find what comes before `from` in its order, and its cost does
 * not depend on how much that is; it finds the object at that position.
 */
export type TypeQuery = Kinds & { readonly from?: QueryPosition };

type Kinds =
  | {
      readonly kind: 'terms';
      readonly type: ObjectTypeName;
      /** Alternatives; each is a list of required terms. An object that matches several is found once. */
      readonly anyOf: readonly (readonly string[])[];
      /** A further alternative, for domains in the order of their keys: a host that starts with this. */
      readonly hosts?: string;
      /** By folded key in code point order, or by first address and then the larger range first. */
      readonly order: 'key' | 'address';
      /** Finds nothing unless one of these objects exists in the source; the same list in all queries of a search. */
      readonly onlyIf?: readonly TypedKey[];
    }
  /** Objects with a host that starts with `prefix`, in the order of their keys. */
  | { readonly kind: 'hosts'; readonly type: 'domain'; readonly prefix: string }
  /**
   * Objects around a range. Several with the same range come in the order of their origins (code point order of the
   * folded text). `origin` filters after the mode was applied.
   */
  | {
      readonly kind: 'range';
      readonly type: ObjectTypeName;
      readonly range: Range;
      readonly mode: Mode;
      readonly origin?: string;
    }
  /** The as-block with the smallest range that contains all of `range`, equal ends included; at most one. */
  | { readonly kind: 'covering'; readonly type: 'as-block'; readonly range: Range };

/** The objects of which one must exist, or the queries of a search find nothing; undefined when none is required. */
export function neededBy(queries: readonly TypeQuery[]): readonly TypedKey[] | undefined {
  for (const query of queries) if (query.kind === 'terms' && query.onlyIf !== undefined) return query.onlyIf;
  return undefined;
}

/** Consecutive changes of a source. */
export interface Batch {
  /** The position that the index must have reached: the batch contains all changes since then. */
  readonly after: bigint;
  /** Objects in their newest state. No object appears twice in a batch, nor in both lists. */
  readonly documents: readonly IndexDocument[];
  readonly deletions: readonly ObjectId[];
  /** With the batch, every change up to this serial is applied. */
  readonly serial: bigint;
  /** The registry's time of the change with this serial, if it is known. */
  readonly instant?: Date | undefined;
}

/** Whether a registry whose newest change is `newest` can have the change at `position`: it may have been restored. */
export function mayHave(newest: FeedPosition, position: FeedPosition): boolean {
  if (position.serial !== newest.serial) return position.serial < newest.serial;
  const isKnown = position.instant !== undefined && newest.instant !== undefined;
  return !isKnown || position.instant.getTime() === newest.instant.getTime();
}

/** The position of a source's index. */
export interface Position extends FeedPosition {
  /** When the index reached the serial. */
  readonly reached: Date;
}

/** Maximum number of documents in a page of a query. */
export const maximalPage = 100;

/** Maximum bytes of text in a page of a query, or in a result of `load`; a larger object comes alone. */
export const maximalBytes = 1024 * 1024;

/**
 * The search itself returns texts up to this many bytes: a page of them is within `maximalBytes`. Larger ones are rare
 * and are read by key.
 */
export const smallText = 4096;

/** A query of an inverse lookup. */
export type InverseQuery = Extract<TypeQuery, { kind: 'terms' | 'hosts' }>;

/** What objects of an inverse lookup must have. It is compared without their texts. */
export interface ListFilter {
  /** Folded words, all of which are in the type, the key, or the name or description. */
  readonly words: readonly string[];
  /** An object that has some of these addresses passes as well. */
  readonly range?: Range;
}

/** Maximum number of objects that one call of `SearchIndex.filter` compares. */
export const maxFiltered = 10_000;

/** An object that a filter has compared. */
export interface Compared {
  readonly type: ObjectTypeName;
  /** Folded. */
  readonly key: string;
  readonly range?: Pick<Range, 'first' | 'last'>;
}

/** The outcome of a filter. */
export interface Filtered {
  /** The serial of the index that it shows. */
  readonly serial: bigint;
  /** The objects that passed, in the order of the queries, each with the number of objects compared up to it. */
  readonly passed: readonly (Compared & { readonly compared: number })[];
  /** Number of objects compared. */
  readonly compared: number;
  /** The last of them, if more may follow. */
  readonly last?: Compared | undefined;
}

/** The numbers of matches of queries. */
export interface Counts {
  /** The serial of the index that the counts show. */
  readonly serial: bigint;
  /** One for each query. */
  readonly counts: readonly number[];
  /** Whether there are more: an adapter that reads what it counts stops after about 100,000 matches. */
  readonly isPartial: boolean;
}

/** A search for the objects that have words. */
export interface WordQuery {
  /** Folded, different ones, at most `maxWords`: an object needs all. Without words only keys and names are compared. */
  readonly words: readonly string[];
  /** An object with this folded key comes before all others. */
  readonly key: string;
  /** After it come objects with this folded name. */
  readonly name: string;
  /** The types to search; of equal ranks, objects of the first type come first. */
  readonly types: readonly ObjectTypeName[];
  /** Maximum number of objects, up to `maximalPage`. */
  readonly limit: number;
  /** Where to continue. */
  readonly after?: WordPosition;
}

/** Maximum number of words of a query. */
export const maxWords = 8;

/** A position in the result of a search for words, whose order is rank, type and key. */
export interface WordPosition {
  /**
   * How well the object matches: 0 for the key, 1 for the name, otherwise 2 plus the ranks of the words; smaller is
   * better.
   */
  readonly rank: number;
  readonly type: ObjectTypeName;
  /** Folded. */
  readonly key: string;
}

/** The result of a search for words. */
export interface WordMatches {
  readonly serial: bigint;
  /** The number of objects of a type, on all pages. */
  readonly counts: ReadonlyMap<ObjectTypeName, number>;
  /** Whether there are more: the adapter stops when it has found very many, the first ones in no particular order. */
  readonly isPartial: boolean;
  /** The objects of the page in their order, in parts of up to `maximalBytes`. */
  readonly pages: AsyncIterable<readonly IndexedObject[]>;
  /** Where the next page continues, if one follows. */
  readonly next?: WordPosition | undefined;
}

/** The beginnings of keys or names. */
export interface Beginning {
  /** Of a folded key. */
  readonly key: string;
  /** Of a folded name. */
  readonly name: string;
  /** Maximum number of objects, up to `maximalPage`. */
  readonly limit: number;
}

/** The names or keys that match a pattern. */
export interface NamedLike {
  /** What to compare: names, those of persons included, or keys. */
  readonly field: 'name' | 'key';
  readonly pattern: NamePattern;
  /** The types to search; at least one. */
  readonly types: readonly ObjectTypeName[];
}

/** A search for the objects whose name or key matches a pattern, a page of them in the order of these texts. */
export interface NameQuery extends NamedLike {
  /** Maximum number of objects, 1 to `maximalPage`. */
  readonly limit: number;
  /** Where to continue. */
  readonly after?: NamePosition;
}

/** A pattern of folded texts. */
export interface NamePattern {
  /** The text before the first wildcard. */
  readonly prefix: string;
  /** The complete pattern: `*` matches any characters, `?` one. */
  readonly text: string;
}

/** Maximum names with a pattern to count. */
export const maxCounted = 10_000;

/** A position in the result of a search for names, whose order is text, key and type, all in code point order. */
export interface NamePosition {
  /** The folded name or key that was compared. */
  readonly text: string;
  readonly key: string;
  readonly type: ObjectTypeName;
}

/** The result of a search for names. */
export interface NameMatches {
  readonly serial: bigint;
  /** The objects of the page in their order, in parts of up to `maximalBytes`. */
  readonly pages: AsyncIterable<readonly IndexedObject[]>;
  /**
   * Where the next page continues, if anything may follow. An adapter that has compared as many texts as a page may
   * cost returns fewer objects than the limit, or none, and the position that it has reached.
   */
  readonly next?: NamePosition | undefined;
}

/** A query for the ranges of objects inside a range, without those that equal it. */
export interface InsideQuery {
  readonly type: ObjectTypeName;
  readonly range: Range;
  /** Only those that no other one inside the range contains. It need not read many of the others. */
  readonly firstLevel: boolean;
  /** Maximum number of objects. */
  readonly max: number;
}

/** An object by its range. Its bounds compare with those of others of its type; they need not be addresses. */
export interface Spanned {
  readonly key: string;
  readonly first: bigint;
  readonly last: bigint;
}

/** Objects by their ranges. */
export interface FoundSpans {
  /** The serial of the index that they show. */
  readonly serial: bigint;
  /** In address order, larger ranges before those inside them, then by key. */
  readonly spans: readonly Spanned[];
}

/**
 * A query for the outermost objects of an organisation: those that no other one of their type and organisation
 * contains.
 */
export interface HoldingsQuery {
  /** Folded key. */
  readonly organisation: string;
  /** Types whose objects have ranges. */
  readonly types: readonly ObjectTypeName[];
  /** Maximum number of objects of each type. */
  readonly max: number;
}

/** The objects of an organisation. */
export interface FoundHoldings {
  /** The serial of the index that they show. */
  readonly serial: bigint;
  /** The keys of each type, in the order of addresses. */
  readonly keys: readonly (readonly string[])[];
}

/** The result of queries. */
export interface Matches {
  /** The serial of the index that the first page shows. */
  readonly serial: bigint;
  /**
   * Pages of 1 to 100 objects and `maximalBytes`, fetched on demand. There is no lock and no transaction between pages:
   * a switch of the index or a write between two pages neither ends them nor repeats an object.
   */
  readonly pages: AsyncIterable<readonly IndexedObject[]>;
}

/** Some of the requested objects. */
export interface Loaded {
  /** In the requested order, without those that do not exist. */
  readonly objects: readonly IndexedObject[];
  /** Objects that did not fit, in the requested order; request them again. */
  readonly later: readonly ObjectId[];
}

/** An object around a range, with its values of an attribute. */
export interface Nearest {
  readonly key: string;
  /** In lower case. */
  readonly values: readonly string[];
}

/** The nearest objects around ranges. */
export interface FoundNearest {
  /** Each object once. */
  readonly objects: readonly IndexedObject[];
  /** For each range. */
  readonly answers: readonly {
    /**
     * Positions in `objects`: of each type the object with the smallest range that contains the range or equals it, and
     * the next one in the order of sizes and keys.
     */
    readonly positions: readonly number[];
    /** Whether the first of them contains others of its type. */
    readonly holding: boolean;
  }[];
}

/** A derived, rebuildable index of objects. The first write to a source creates its index. */
export interface SearchIndex {
  /** Creates the missing parts of the index. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Throws when the index cannot answer queries. */
  check(): Promise<void>;
  /** The last serial that queries see; undefined for a source that was never built. */
  position(source: string): Promise<Position | undefined>;
  /**
   * Applies a batch; afterwards queries see it and the position is at least `batch.serial`. A batch with nothing beyond
   * the position changes no object, so repeating one is harmless, also after a crash half-way. An empty batch moves the
   * position. A source without a position counts as being at serial 0. Errors: ServiceError 'conflict', without any
   * change, when the position is before `batch.after`.
   */
  apply(source: string, batch: Batch): Promise<void>;
  /**
   * Matches of several queries, each of another type: those of the first query first, each in the order of its query.
   * Undefined for a source without an index. An adapter that compares hashes may, very rarely, find an object
   * without the terms: see `isMatch` (`document.ts`).
   */
  query(source: string, queries: readonly TypeQuery[], signal: AbortSignal): Promise<Matches | undefined>;
  /**
   * Counts the matches of several queries, each of another type, without reading objects; an adapter that compares hashes
   * may, very rarely, count one too many. Undefined for a source without an index.
   */
  countByType(source: string, queries: readonly InverseQuery[], signal: AbortSignal): Promise<Counts | undefined>;
  /**
   * Compares what inverse queries find with a filter, in their order, until `limit` objects have passed or `maxFiltered`
   * are compared, without reading texts. The first query begins after its `from`, and the cost does not depend on how
   * much is before it. Ends soon after the signal aborts. Undefined for a source without an index.
   */
  filter(
    source: string,
    queries: readonly InverseQuery[],
    filter: ListFilter & { readonly limit: number },
    signal: AbortSignal,
  ): Promise<Filtered | undefined>;
  /**
   * The objects with given words, a page of them. Undefined for a source without an index. An adapter that compares
   * hashes may, very rarely, find an object without a word.
   */
  searchWords(source: string, query: WordQuery, signal: AbortSignal): Promise<WordMatches | undefined>;
  /**
   * The objects whose key or name has a given beginning, by that key or name in code point order; of those with the
   * same name and type any one. Parts of up to `maximalBytes`. Undefined for a source without an index.
   */
  suggest(source: string, beginning: Beginning, signal: AbortSignal): Promise<Matches | undefined>;
  /** The objects whose name or key matches a pattern, a page of them. Undefined for a source without an index. */
  searchNames(source: string, query: NameQuery, signal: AbortSignal): Promise<NameMatches | undefined>;
  /**
   * The number of objects whose name or key matches a pattern, without reading them. Undefined if more than
   * `maxCounted` would have to be compared, and for a source without an index.
   */
  countNames(source: string, named: NamedLike, signal: AbortSignal): Promise<number | undefined>;
  /** Objects inside a range, without reading them. Undefined for a source without an index. */
  spansInside(source: string, query: InsideQuery, signal: AbortSignal): Promise<FoundSpans | undefined>;
  /**
   * The objects that name an organisation in `org`, without reading them; the cost depends on the requested number, not
   * on how many there are. Undefined for a source without an index.
   */
  holdings(source: string, query: HoldingsQuery, signal: AbortSignal): Promise<FoundHoldings | undefined>;
  /**
   * For each of up to 100 ranges, the object with the smallest range that contains it (or equals it) among those of the
   * type that have a value of `attribute`, with these values; undefined where there is none. Reads no texts.
   */
  nearestWith(
    source: string,
    type: ObjectTypeName,
    attribute: 'mnt-irt',
    ranges: readonly Range[],
  ): Promise<(Nearest | undefined)[]>;
  /**
   * For each range the nearest objects of each type, in one state of the index. Undefined for a source without an index,
   * and for more than `maximalBytes` of text. Absent from adapters for which each read is a call.
   */
  nearest?(
    source: string,
    types: readonly ObjectTypeName[],
    ranges: readonly Range[],
  ): Promise<FoundNearest | undefined>;
  /**
   * Reads the index of a source in one state; undefined for a source without one. Absent from adapters for which each
   * read is a call.
   */
  readonly readState?: ReadState;
  /**
   * Objects by distinct keys, any number: the first ones with `maximalBytes` of text together, or the first one alone.
   */
  load(ids: readonly ObjectId[]): Promise<Loaded>;
  /** Whether objects with these keys exist, any number, in the requested order. Reads no texts. */
  known(ids: readonly ObjectId[]): Promise<boolean[]>;
  /**
   * Starts a second copy of a source's index, beside the one in use, or continues an interrupted one. `newest` is the
   * registry's newest change: a new copy follows the feed from there. A copy that the registry cannot have had
   * (`mayHave`), or that this release cannot read, is discarded. Errors: ServiceError 'conflict' while a rebuild of the
   * source is running, also in another process.
   */
  beginRebuild(source: string, newest: FeedPosition, options?: BeginOptions): Promise<Rebuild>;
  /** The newest rebuild of a source, whichever process runs it; undefined when there was none. */
  rebuildState(source: string): Promise<RebuildState | undefined>;
  /** Number of objects that queries can find. */
  count(source: string): Promise<bigint>;
}

/** Runs reads of one state of the index of a source. */
export type ReadState = <T>(source: string, read: (state: StateReads) => T) => Promise<T | undefined>;

/** Reads of one state of an index, on the event loop. */
export interface StateReads {
  /** The objects of a type that enclose a range or equal it, outermost first; undefined for more than a page. */
  enclosing(type: ObjectTypeName, range: Range): readonly IndexedObject[] | undefined;
  /** Objects by distinct keys, as `load`; `later` has those that did not fit. */
  byKey(keys: readonly TypedKey[]): {
    readonly objects: readonly IndexedObject[];
    readonly later: readonly TypedKey[];
  };
}

/** The methods that queries use. */
export type IndexReads = Pick<SearchIndex, 'query' | 'nearestWith' | 'load' | 'known'>;

export interface BeginOptions {
  /** Discards an interrupted copy. Default false. */
  readonly fresh?: boolean;
  /** Only an unfinished rebuild: ServiceError 'conflict' when it has ended meanwhile. Default false. */
  readonly unfinished?: boolean;
  /**
   * Whether the copy may replace the index in use although its serial is earlier. Default: as for the interrupted copy.
   */
  readonly back?: boolean;
}

/** The phase of a rebuild, or how it ended. */
export type RebuildPhase = 'export' | 'indexes' | 'changes' | 'finished' | 'failed';

/** The state of a rebuild. It survives the process of the rebuild. */
export interface RebuildState {
  /** Identifies it among the rebuilds of the source. */
  readonly id: string;
  readonly phase: RebuildPhase;
  /** Number of objects in the copy. */
  readonly objects: bigint;
  /** The copy has every change up to this serial as soon as it has the whole export. */
  readonly serial: bigint;
  readonly started: Date;
  /** When this state was stored last. */
  readonly advanced: Date;
  /** Why it failed, or why it waits to be continued. */
  readonly failure?: string | undefined;
}

/** A copy of a source's index that queries do not see yet. It survives the process, unless it is abandoned. */
export interface Rebuild {
  readonly id: string;
  /** The copy follows the feed from here. */
  readonly start: FeedPosition;
  /** The position of the last page of the export that the copy has; undefined before the first. */
  readonly exported: string | undefined;
  /** Number of objects that the copy had when it was continued. */
  readonly objects: bigint;
  /** Whether the copy had the whole export when it was continued. */
  readonly isFilled: boolean;
  /**
   * Adds documents that the copy does not have yet: a page of the export, with its position. Without a position an
   * interrupted copy cannot be continued. Only before the first call of `apply` or `finish`.
   */
  fill(documents: readonly IndexDocument[], position?: string): Promise<void>;
  /** Applies changes after the export: with them, every change up to `serial` is applied. Repeating is harmless. */
  apply(changes: Omit<Batch, 'after'>): Promise<void>;
  /**
   * Replaces the index in use by the copy, in one step, at that position. Returns false, without any change, when the
   * index in use is ahead of it: then add what is missing and retry. With `BeginOptions.back` it switches in that case
   * too, for a registry that was restored to an earlier state.
   */
  finish(reached: FeedPosition): Promise<boolean>;
  /** Ends the work of this process; the copy can be continued. Stores why it waits. Harmless after `finish`. */
  suspend(failure?: string): Promise<void>;
  /** Discards the copy and stores why. Harmless after `finish`. */
  abandon(failure?: string): Promise<void>;
}
