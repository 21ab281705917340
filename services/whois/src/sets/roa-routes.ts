import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PlacedRoa, RoaIndex } from '@cadastre/roa';
import { type AddressRange, compareWords } from '@cadastre/rpsl';
import { ServiceError } from '@cadastre/service';
import { namesOf, type Sources } from '../context.js';
import type { IndexBounds } from './index-budget.js';
import { type Family, PrefixList, wordsEach } from './prefix-list.js';
import { prefixText, rangeAt } from './prefix-text.js';
import type { SourceContents } from './source-index.js';

/** The name of the source of the routes made from ROAs: that of IRRd. */
export const roaSourceName = 'RPKI';

/** The name, if there is such a source: with ROAs, unless another source or an alias has it. */
export function chooseRoaSource(roaSource: string | undefined, sources: Sources): string | undefined {
  const isTaken = namesOf(sources).includes(roaSourceName) || sources.aliases?.has(roaSourceName);
  return roaSource === undefined || isTaken ? undefined : roaSourceName;
}

/** Which prefixes to find around one. */
export type PrefixScope = 'exact' | 'one-less' | 'all-less' | 'all-more';

/**
 * Routes made from the current ROAs: each validated payload authorises one, whatever its maximum length. All answers
 * share the payloads, and lists of them by origin, which are made when there are new ones.
 */
export type RoaRoutes = ReturnType<typeof createRoaRoutes>;

/** The ROAs in use, with their lists. */
interface Known {
  readonly roas: RoaIndex;
  readonly contents: SourceContents;
}

/** Makes it, without lists. */
export function createRoaRoutes(current: () => RoaIndex | undefined) {
  let known: Known | undefined;
  let isStopped = false;
  let running = Promise.resolve();
  const make = async () => {
    const roas = current();
    if (roas === undefined || roas === known?.roas) return;
    const pause = async () => {
      await nextTurn();
      return !isStopped;
    };
    const lists = await listsByOrigin(roas, pause);
    if (lists !== undefined) known = { roas, contents: contentsOf(roas, lists) };
  };
  const roasInUse = () => {
    if (known === undefined) throw new ServiceError('unavailable', 'No ROAs have been read yet');
    return known;
  };
  return {
    /** Throws a ServiceError (unavailable) before the first ROAs. */
    contents: (): SourceContents => roasInUse().contents,
    /**
     * The texts of the routes with or around a prefix, by address, in parts of a bounded size. Throws a ServiceError
     * (unavailable) before the first ROAs.
     */
    texts: (range: AddressRange, length: number, around: PrefixScope): Iterable<readonly string[]> =>
      textsOf(roasInUse().roas, range, length, around),
    /** The text of the route with a key; undefined if there is none. Throws as `texts`. */
    text(range: AddressRange, length: number, origin: number, maxLength: number): string | undefined {
      const { roas } = roasInUse();
      const found = placesExactly(roas, range, length).map(roas.at);
      const roa = found.find((one) => one.asn === origin && one.maxLength === maxLength);
      return roa && routeText(roa);
    },
    /** Makes the lists again: the ROAs have changed. */
    refresh(): void {
      running = running.then(make);
    },
    /** Resolves when no list is being made. */
    async stop(): Promise<void> {
      isStopped = true;
      await running;
    },
  };
}

/** There are no sets, so nothing reads their bounds. */
const bounds: IndexBounds = { setMembers: 0, maintainerMembers: 0, bytes: 0 };

function contentsOf(roas: RoaIndex, lists: Readonly<Record<Family, OriginLists>>): SourceContents {
  return {
    routes: { size: lists[4].size + lists[6].size, of: (origin, family) => lists[family].of(origin) },
    hidden: { size: 0, of: () => undefined },
    originsOf(family, prefix) {
      const length = prefix[wordsEach(family) - 1]!;
      return placesExactly(roas, rangeAt(prefix, 0, family), length).map((place) => roas.at(place).asn);
    },
    bounds,
    set: () => undefined,
    joined: () => [],
  };
}

function placesExactly(roas: RoaIndex, { family, first }: AddressRange, length: number): number[] {
  return roas.placesCovering({ family, first, length }).filter((place) => roas.at(place).length === length);
}

/** The different prefixes of each origin. */
interface OriginLists {
  /** Number of routes. */
  readonly size: number;
  of(origin: number): PrefixList | undefined;
}

/** Payloads to handle before other work gets a turn. */
const roasPerTurn = 10_000;

/** Lists of both families; undefined when `pause` resolves to false. */
async function listsByOrigin(
  roas: RoaIndex,
  pause: () => Promise<boolean>,
): Promise<Readonly<Record<Family, OriginLists>> | undefined> {
  const counts = { 4: new Map<number, number>(), 6: new Map<number, number>() } as const;
  const each = async (handle: (roa: PlacedRoa) => void): Promise<boolean> => {
    for (let place = 0; place < roas.size; place++) {
      handle(roas.at(place));
      if (place % roasPerTurn === roasPerTurn - 1 && !(await pause())) return false;
    }
    return true;
  };
  const isCounted = await each(({ family, asn }) => {
    counts[family].set(asn, (counts[family].get(asn) ?? 0) + 1);
  });
  if (!isCounted) return undefined;
  const builders = { 4: originListsBuilder(4, counts[4]), 6: originListsBuilder(6, counts[6]) } as const;
  if (!(await each((roa) => builders[roa.family].add(roa)))) return undefined;
  return { 4: builders[4].build(), 6: builders[6].build() };
}

/**
 * Starts the lists of a family; origins come with the number of their payloads, which are added in the order of their
 * prefixes. The lists are parts of one array: 8 bytes for a payload of IPv4, 20 for one of IPv6.
 */
function originListsBuilder(family: Family, counts: ReadonlyMap<number, number>) {
  const each = wordsEach(family);
  const origins = Uint32Array.from(counts.keys()).sort();
  const starts = new Uint32Array(origins.length);
  let total = 0;
  for (const [at, origin] of origins.entries()) {
    starts[at] = total * each;
    total += counts.get(origin)!;
  }
  const words = new Uint32Array(total * each);
  const ends = starts.slice();
  const one = new Uint32Array(each);
  let size = 0;
  return {
    add({ asn, address, length }: PlacedRoa): void {
      const at = placeOf(origins, asn)!;
      one.set(address);
      one[each - 1] = length;
      const end = ends[at]!;
      // Payloads of a prefix with other maximum lengths come one after the other.
      if (end > starts[at]! && compareWords(words, end - each, one, 0, each) === 0) return;
      words.set(one, end);
      ends[at] = end + each;
      size++;
    },
    build: (): OriginLists => ({
      size,
      of(origin) {
        const at = placeOf(origins, origin);
        return at === undefined ? undefined : PrefixList.of(family, words.subarray(starts[at]!, ends[at]!));
      },
    }),
  };
}

/** The position of a number in sorted ones; undefined if it is not there. */
function placeOf(numbers: Uint32Array, wanted: number): number | undefined {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return numbers[low] === wanted ? low : undefined;
}

/** Routes in a part of the texts: about 200 KB. */
const routesOfPart = 500;

function* textsOf(
  roas: RoaIndex,
  { family, first }: AddressRange,
  length: number,
  around: PrefixScope,
): Generator<readonly string[]> {
  const prefix = { family, first, length };
  if (around !== 'all-more') {
    const covering = roas.placesCovering(prefix).map(roas.at);
    const shorter = covering.filter((roa) => roa.length < length);
    const nearest = shorter.at(-1)?.length;
    const wanted = {
      exact: () => covering.filter((roa) => roa.length === length),
      'one-less': () => shorter.filter((roa) => roa.length === nearest),
      'all-less': () => covering,
    };
    yield wanted[around]().map(routeText);
    return;
  }
  const { from, to } = roas.placesWithin(prefix);
  for (let start = from; start < to; start += routesOfPart) {
    const part: string[] = [];
    for (let place = start; place < Math.min(to, start + routesOfPart); place++) {
      const roa = roas.at(place);
      if (roa.length > length) part.push(routeText(roa));
    }
    yield part;
  }
}

/** The text of the route of a ROA, in the form of IRRd. */
function routeText({ family, address, length, maxLength, asn, anchor }: PlacedRoa): string {
  const prefix = prefixText(Uint32Array.of(...address, length), family);
  const lines = [
    [family === 4 ? 'route' : 'route6', prefix],
    ['descr', `RPKI ROA for ${prefix} / AS${asn}`],
    ['remarks', 'This server makes this object from a ROA: no registry has it.'],
    ['max-length', maxLength],
    ['origin', `AS${asn}`],
    ['source', `${roaSourceName}${anchor === undefined ? '' : `  # Trust Anchor: ${printable(anchor)}`}`],
  ];
  return lines.map(([name, value]) => `${`${name}:`.padEnd(16)}${value}`).join('\n');
}

/** Exports are files of others: no line end may get into an answer. */
function printable(text: string): string {
  return text.slice(0, 60).replace(/[^\x20-\x7e]/g, '?');
}
