import { AddressFamily, type ExpandSetResponse, type PrefixGroup, type SetServiceService } from '@cadastre/proto/whois';
import { queryMessages } from '@cadastre/query';
import { parseSetName } from '@cadastre/rpsl';
import { failureMessage, type Handlers, ServiceError } from '@cadastre/service';
import type { ExpansionMemory } from '../expansion-memory.js';
import { aggregated } from '../sets/aggregate.js';
import { asNumbersOf, hasPrefixes, prefixesOf, rangesOf, type Selection, type SetTools } from '../sets/expansion.js';
import { type Explanation, explanationOf } from '../sets/explanation.js';
import { type Family, wordsEach } from '../sets/prefix-list.js';
import { prefixTexts, prefixWords } from '../sets/prefix-text.js';
import type { Pause } from '../turns.js';
import { type Requested, setPages } from './set-pages.js';

/** Bytes of the prefixes of a message. */
const pageBytes = 64 * 1024;
/** Prefixes with operators in a group: fewer bytes than a page has. */
const rangesPerGroup = 1_000;
const lineFeed = 10;

const familiesOf: Readonly<Record<AddressFamily, readonly Family[]>> = {
  [AddressFamily.ADDRESS_FAMILY_UNSPECIFIED]: [4, 6],
  [AddressFamily.ADDRESS_FAMILY_IPV4]: [4],
  [AddressFamily.ADDRESS_FAMILY_IPV6]: [6],
};

/** The checked request. */
interface Question extends Pick<Requested, 'name' | 'selection'> {
  readonly families: readonly Family[];
  readonly aggregate: boolean;
}

/** Streams the prefixes of a set. */
export function expandSet(tools: SetTools): Handlers<typeof SetServiceService>['expandSet'] {
  return (request, call) =>
    setPages(tools, request, call, {
      async pagesOf(bounded, { name, selection, serial, ofPart }) {
        const families = familiesOf[request.family] ?? familiesOf[AddressFamily.ADDRESS_FAMILY_UNSPECIFIED];
        const question = { selection, name, families, aggregate: request.aggregate };
        const inBounds = { ...question, selection: { ...bounded, index: tools.index } };
        if (request.explain) {
          const explained = await explain(inBounds, tools);
          return explained && explanationPages(serial, explained);
        }
        const found = await (request.byOrigin ? byOrigin(question, bounded, ofPart) : together(inBounds));
        return found && pagesOf(serial, found);
      },
      bytesOf,
    });
}

function bytesOf({ groups, omissions }: ExpandSetResponse): number {
  return groups.reduce((sum, { prefixes }) => sum + prefixes.length, 0) + omissionBytes * (omissions?.list.length ?? 0);
}

/** Groups in batches: a separate step would cost more than an AS number without prefixes. */
type Groups = AsyncIterable<readonly PrefixGroup[]> | Iterable<readonly PrefixGroup[]>;

/** All prefixes of a set; undefined for an unknown one. */
async function together(question: Question): Promise<Groups | undefined> {
  const { selection, name, families, aggregate } = question;
  const { pause } = selection;
  switch (parseSetName(name)?.type) {
    case 'as-set': {
      const asNumbers = await asNumbersOf(selection, name);
      return asNumbers && groupsOf(families, (family) => wordsOf(question, asNumbers, family));
    }
    case 'route-set': {
      const ranges = await rangesOf(selection, name);
      if (ranges === undefined || !aggregate) return ranges && groupsOfRanges(families, ranges);
      return groupsOf(families, async (family) => {
        return aggregated(await wordsOfRanges(ranges[family], family, pause), family, pause);
      });
    }
    default:
      throw new ServiceError('invalid', [queryMessages.noSetName(name)]);
  }
}

/** The prefixes of each AS number of an as-set, from the index at that moment; undefined for an unknown one. */
async function byOrigin(
  question: Question,
  bounded: Selection,
  ofOrigin: ExpansionMemory,
): Promise<Groups | undefined> {
  const { selection, name, families } = question;
  if (parseSetName(name)?.type === 'route-set') throw new ServiceError('invalid', [noOrigins(name)]);
  if (parseSetName(name)?.type !== 'as-set') throw new ServiceError('invalid', [queryMessages.noSetName(name)]);
  const asNumbers = await asNumbersOf(bounded, name);
  const inOrigin = { ...selection, hold: ofOrigin.hold };
  return (
    asNumbers &&
    groupsByOrigin(asNumbers, {
      pause: selection.pause,
      hasPrefixes: (origin) => hasPrefixes(selection, origin, families),
      groupsOf: (origin) =>
        groupsOf(
          families,
          (family) => wordsOf({ ...question, selection: inOrigin }, [origin], family),
          question.aggregate ? undefined : (family, words) => bySources(selection, origin, family, words),
        ),
      release: ofOrigin.release,
    })
  );
}

function noOrigins(name: string) {
  return failureMessage("The prefixes of '%s' have no origins: only as-sets can be listed by origin", [name]);
}

/** Some prefixes, and the sources that have them, if they are known. */
interface Part {
  readonly words: Uint32Array;
  readonly sources?: string;
}

/** Divides prefixes of a family into parts. */
type Divide = (family: Family, words: Uint32Array) => Iterable<Part>;

/** The prefixes of each family; all lists are made before the first group. */
async function groupsOf(
  families: readonly Family[],
  wordsIn: (family: Family) => Promise<Uint32Array>,
  divide: Divide = (_family, words) => [{ words }],
): Promise<Iterable<[PrefixGroup]>> {
  const lists: { family: Family; words: Uint32Array }[] = [];
  for (const family of families) lists.push({ family, words: await wordsIn(family) });
  return piecesOf(lists, divide);
}

function* piecesOf(
  lists: readonly { readonly family: Family; readonly words: Uint32Array }[],
  divide: Divide,
): Generator<[PrefixGroup]> {
  for (const { family, words } of lists) {
    if (words.length === 0) continue;
    for (const { words: some, ...sources } of divide(family, words)) {
      for (const piece of prefixTexts(some, family, pageBytes, lineFeed)) {
        yield [{ prefixes: piece.toString('latin1', piece[0] === lineFeed ? 1 : 0), ...sources }];
      }
    }
  }
}

/** Prefixes of a part: what fits into a page. */
const prefixesPerPart = 2_000;

/** The prefixes of an origin in parts that the same sources have. */
function* bySources(
  { index, routeSources }: Selection,
  origin: number,
  family: Family,
  words: Uint32Array,
): Generator<Part> {
  const having = routeSources.flatMap((name) => {
    const list = index.source(name)?.routes.of(origin, family);
    return list === undefined ? [] : [{ name, list }];
  });
  if (having.length <= 1) return yield { words, sources: having.map(({ name }) => name).join() };
  const each = wordsEach(family);
  const sourcesAt = (at: number) => {
    const prefix = words.subarray(at, at + each);
    const found = having.filter(({ list }) => list.has(prefix));
    return found.map(({ name }) => name).join();
  };
  for (let start = 0; start < words.length; ) {
    const together = sourcesAt(start);
    let end = start + each;
    const last = Math.min(words.length, start + prefixesPerPart * each);
    while (end < last && sourcesAt(end) === together) end += each;
    yield { words: words.subarray(start, end), sources: together };
    start = end;
  }
}

/** Explains what a set leaves out; undefined for an unknown one. */
function explain(
  { selection, name, families }: Question,
  { findConflict }: SetTools,
): Promise<Explanation | undefined> {
  const root = parseSetName(name);
  if (root?.type !== 'as-set' && root?.type !== 'route-set')
    throw new ServiceError('invalid', [queryMessages.noSetName(name)]);
  return explanationOf(selection, { root, families, findConflict });
}

/** Bytes of a reason, and their number in a message. */
const omissionBytes = 150;
const omissionsPerPage = 250;

async function* explanationPages(
  serial: bigint,
  { omissions, more, isPartial }: Explanation,
): AsyncGenerator<ExpandSetResponse> {
  yield { serial, groups: [] };
  for (let at = 0; ; at += omissionsPerPage) {
    const list = omissions.slice(at, at + omissionsPerPage);
    if (at + omissionsPerPage >= omissions.length)
      return yield { serial: 0n, groups: [], omissions: { list, more: BigInt(more), isPartial } };
    yield { serial: 0n, groups: [], omissions: { list, more: 0n, isPartial: false } };
  }
}

/** AS numbers without prefixes that are answered together. */
const emptyAtOnce = 1_000;

interface OriginReading {
  readonly pause: Pause;
  hasPrefixes(origin: number): boolean;
  groupsOf(origin: number): Promise<Iterable<[PrefixGroup]>>;
  /** Releases what the groups of an origin hold. */
  release(): void;
}

async function* groupsByOrigin(
  asNumbers: readonly number[],
  { pause, hasPrefixes, groupsOf, release }: OriginReading,
): AsyncGenerator<readonly PrefixGroup[]> {
  let empty: PrefixGroup[] = [];
  for (const origin of asNumbers) {
    const mayHaveSome = hasPrefixes(origin);
    if (empty.length >= emptyAtOnce || (mayHaveSome && empty.length > 0)) {
      yield empty;
      empty = [];
      await pause();
    }
    let isEmpty = true;
    if (mayHaveSome) {
      await pause();
      for (const [group] of await groupsOf(origin)) {
        isEmpty = false;
        yield [{ origin, ...group }];
      }
      release();
    }
    if (isEmpty) empty.push({ origin, prefixes: '' });
  }
  if (empty.length > 0) yield empty;
}

/** The prefixes of a route-set with their operators. */
function* groupsOfRanges(
  families: readonly Family[],
  ranges: Readonly<Record<Family, readonly string[]>>,
): Generator<[PrefixGroup]> {
  for (const family of families) {
    const list = ranges[family];
    for (let at = 0; at < list.length; at += rangesPerGroup) {
      yield [{ prefixes: list.slice(at, at + rangesPerGroup).join('\n') }];
    }
  }
}

/** Prefixes without their operators. */
async function wordsOfRanges(ranges: readonly string[], family: Family, pause: Pause): Promise<Uint32Array> {
  const each = wordsEach(family);
  const words = new Uint32Array(ranges.length * each);
  for (const [n, text] of ranges.entries()) {
    words.set(prefixWords(text.replace(/\^.*/, ''), family)!, n * each);
    if (n % rangesPerGroup === 0) await pause();
  }
  return words;
}

/** The prefixes of AS numbers in a list of its own, which later changes do not affect. */
async function wordsOf({ selection, aggregate }: Question, asNumbers: readonly number[], family: Family) {
  const words = await prefixesOf(selection, asNumbers, family);
  return aggregate ? aggregated(words, family, selection.pause) : words;
}

/** Bytes of a group besides its prefixes. */
const groupBytes = 16;

/** A message with the serial, and groups together in further ones. */
async function* pagesOf(serial: bigint, groups: Groups): AsyncGenerator<ExpandSetResponse> {
  yield { serial, groups: [] };
  let page: PrefixGroup[] = [];
  let bytes = 0;
  for await (const some of groups) {
    for (const group of some) {
      const more = groupBytes + group.prefixes.length + (group.sources?.length ?? 0);
      if (page.length > 0 && bytes + more > pageBytes) {
        yield { serial: 0n, groups: page };
        page = [];
        bytes = 0;
      }
      page.push(group);
      bytes += more;
    }
  }
  if (page.length > 0) yield { serial: 0n, groups: page };
}
