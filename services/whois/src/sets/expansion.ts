import {
  type AdmittingSet,
  type Expansion,
  type ExpansionBounds,
  expandSet,
  type PrefixLengths,
  parseSetName,
  type SetContents,
  type SetName,
  type SetReader,
  sortInParts,
} from '@cadastre/rpsl';
import { type AnswerMemory, type ExpansionSlots, type LoopTurns, ServiceError } from '@cadastre/service';
import type { ExpansionMemory } from '../expansion-memory.js';
import type { Pause } from '../turns.js';
import { type CompactSet, valuesIn } from './compact-set.js';
import type { FindConflict } from './hidden-routes.js';
import { refusalText } from './index-budget.js';
import { type Family, mergeLists, type PrefixList, wordsEach } from './prefix-list.js';
import { rangeAt } from './prefix-text.js';
import type { SetIndex } from './set-index.js';
import type { SourceContents } from './source-index.js';

/** What expands sets. */
export interface SetTools {
  readonly index: SetIndex;
  readonly memory: AnswerMemory;
  readonly slots: ExpansionSlots;
  readonly turns: LoopTurns;
  /** Maximum members of all sets of an expansion. */
  readonly maxMembers: number;
  /** Finds the ROAs that make routes invalid. */
  readonly findConflict: FindConflict;
}

/** The index, and which sets and prefixes to use. */
export interface Selection {
  readonly index: Pick<SetIndex, 'source' | 'resolve'>;
  /** Names of sources; the first that has a set wins. */
  readonly sources: readonly string[];
  /** Names of the sources whose routes count. */
  readonly routeSources: readonly string[];
  /** Names of sets, in lower case, that are not expanded as members of others. */
  readonly excluded: ReadonlySet<string>;
  /** Maximum members of all sets of an expansion. */
  readonly maxMembers: number;
  /** Whether an expansion stops as too large at the bounds of small ones (`expandFairly`). */
  readonly smallOnly?: boolean;
  /** Lets other work run between the steps of an expansion, and ends it when its reader has left. */
  readonly pause: Pause;
  /** Counts memory before it is used; ends the expansion when it throws. */
  readonly hold?: (bytes: number) => void;
}

/** An incomplete expansion. Showing it would be a wrong answer. */
export function tooLarge(text: string): ServiceError {
  return new ServiceError('out-of-range', text);
}

/** Maximum levels of the sets of an expansion. */
export const expansionDepth = 200;

/** Bounds of an expansion, besides its maximum of members: several times the largest known sets. */
const bounds = { depth: expansionDepth, prefixes: 200_000 };
const maxMs = 30_000;

/** A smaller expansion takes some milliseconds, and a megabyte. */
const small = { members: 1_000, prefixes: 1_000, routes: 20_000 };

/** Expands sets of a client, with memory: small ones immediately, others in one of the slots for large expansions. */
export async function expandFairly<T>(
  slots: ExpansionSlots,
  client: string,
  signal: AbortSignal,
  memory: ExpansionMemory,
  selection: Selection,
  work: (selection: Selection) => Promise<T>,
): Promise<T> {
  const holding = { ...selection, hold: memory.hold };
  try {
    return await work({ ...holding, smallOnly: true });
  } catch (error) {
    if (!(error instanceof ServiceError) || error.kind !== 'out-of-range') throw error;
    memory.release();
    return slots.run(client, signal, () => work(holding));
  }
}

/** Maximum members, prefixes and routes of an expansion. */
export function sizeOf({ maxMembers, smallOnly = false }: Selection): Readonly<typeof small> {
  if (!smallOnly) return { members: maxMembers, prefixes: bounds.prefixes, routes: maxRoutes };
  return { ...small, members: Math.min(small.members, maxMembers) };
}

/** Number of the direct members of a set, and of the mntners whose objects may join it; 0 for an unknown set. */
export function directSize(selection: Selection, text: string): number {
  const name = parseSetName(text);
  const found = name && findSet(selection, name);
  return found === undefined ? 0 : found.set.size + joinedTo(found).length;
}

/**
 * The direct members of a set, in upper case, without the set. Undefined for an unknown set. Throws a ServiceError
 * (out-of-range) for a set that is not in the index because of its bounds.
 */
export async function directMembers(selection: Selection, text: string): Promise<readonly string[] | undefined> {
  const members = unsortedMembers(selection, text);
  return members && sortInParts(members, byCharacter, selection.pause);
}

/** The direct members of a set with few members, sorted in one step; undefined for an unknown set. */
export function fewMembers(selection: Selection, text: string): readonly string[] | undefined {
  return unsortedMembers(selection, text)?.sort();
}

function unsortedMembers(selection: Selection, text: string): string[] | undefined {
  const name = parseSetName(text);
  const found = name && findSet(selection, name);
  if (found === undefined) return undefined;
  const joined = joinedTo(found);
  selection.hold?.((found.set.size + joined.length) * memberBytes);
  const members = new Set([...valuesIn(found.set.others), ...joined]);
  for (const number of found.set.asNumbers) members.add(`AS${number}`);
  members.delete(text.toUpperCase());
  return [...members];
}

/** Memory of a member with its text, and of an AS number, in an expansion. */
const memberBytes = 800;
const asNumberBytes = 100;

/**
 * The AS numbers of an as-set, the prefixes of a route-set with their operators, or the routers of an rtr-set, with those
 * of all sets in it.
 * Undefined for an unknown set. Throws a ServiceError (out-of-range) when a bound is reached, and when one of the sets is
 * not in the index because of its bounds.
 */
export async function allMembers(selection: Selection, text: string): Promise<readonly string[] | undefined> {
  if (parseSetName(text)?.type === 'as-set') {
    const asNumbers = await asNumbersOf(selection, text);
    return (
      asNumbers &&
      sortInParts(
        asNumbers.map((number) => `AS${number}`),
        byCharacter,
        selection.pause,
      )
    );
  }
  const name = parseSetName(text);
  if (name?.type === 'rtr-set') return (await expanded(selection, name, false))?.routers;
  const ranges = await rangesOf(selection, text);
  return ranges && sortInParts([...ranges[4], ...ranges[6]], byCharacter, selection.pause);
}

/** Compares texts by their characters. */
export function byCharacter(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/**
 * The prefixes of a route-set with their operators, by address: those of its members and of all sets in it. Undefined for
 * an unknown set, and for the name of another set. Throws as allMembers.
 */
export async function rangesOf(
  selection: Selection,
  text: string,
): Promise<Readonly<Record<Family, readonly string[]>> | undefined> {
  const name = parseSetName(text);
  if (name?.type !== 'route-set') return undefined;
  const expansion = await expanded(selection, name, true);
  return expansion && { 4: expansion.ipv4Prefixes, 6: expansion.ipv6Prefixes };
}

/** The AS numbers of an as-set; undefined for an unknown one, and for the name of another set. Throws as allMembers. */
export async function asNumbersOf(selection: Selection, text: string): Promise<readonly number[] | undefined> {
  const name = parseSetName(text);
  if (name?.type !== 'as-set') return undefined;
  return (await expanded(selection, name, false))?.asNumbers;
}

/** Whether an AS number has routes. */
export function hasPrefixes({ index, routeSources }: Selection, asNumber: number, wanted: readonly Family[]): boolean {
  return routeSources.some((source) => wanted.some((family) => index.source(source)?.routes.of(asNumber, family)));
}

/** The AS numbers with a route for exactly this prefix, ascending; with those of routes that ROAs make invalid. */
export function originsOf(
  { index, routeSources }: Pick<Selection, 'index' | 'routeSources'>,
  prefix: { readonly family: Family; readonly words: Uint32Array },
  withInvalid: boolean,
): number[] {
  const found = routeSources.flatMap((source) => {
    return index.source(source, withInvalid)?.originsOf(prefix.family, prefix.words, withInvalid) ?? [];
  });
  return [...new Set(found)].sort((a, b) => a - b);
}

/** The sorted prefixes of the routes of AS numbers, each once, as words; few of them without a promise. */
export function prefixesOf(
  selection: Selection,
  asNumbers: readonly number[],
  family: Family,
): Uint32Array | Promise<Uint32Array> {
  const { index, routeSources, hold, pause } = selection;
  const max = sizeOf(selection).routes;
  const found = routeSources.flatMap((source) => index.source(source) ?? []);
  const lists: PrefixList[] = [];
  let prefixes = 0;
  for (const number of asNumbers) {
    for (const { routes } of found) {
      const list = routes.of(number, family);
      if (list === undefined) continue;
      lists.push(list);
      prefixes += list.size;
    }
  }
  if (prefixes > max) throw tooLarge(`There are more than ${max} prefixes`);
  // Sorting them takes as much again.
  hold?.(2 * prefixes * wordsEach(family) * Uint32Array.BYTES_PER_ELEMENT);
  return mergeLists(lists, family, pause);
}

/** Of all sets together: more than the routing table has. */
const maxRoutes = 10_000_000;

/** Maximum size of a description, besides members: with these it has about 4 MB. */
const describedBounds = { depth: 50, sets: 10_000, members: 100_000, maintainers: 10_000, prefixes: 50_000 };
const maxDescribedMs = 5_000;

/** Which parts of a set to describe. */
export interface Described {
  /** Levels of sets below the first one. */
  readonly depth?: number | undefined;
  readonly withPrefixes: boolean;
}

/**
 * A set with all sets in it and their contents, for people: one that reaches a bound is partial. Undefined for an
 * unknown set, and for a text that is not a set name. Throws a ServiceError (out-of-range) when one of the sets is not
 * in the index because of its bounds.
 */
export async function describedSet(
  selection: Selection,
  text: string,
  { depth = describedBounds.depth, withPrefixes }: Described,
): Promise<Expansion | undefined> {
  const name = parseSetName(text);
  const { members, prefixes } = sizeOf(selection);
  const expansion =
    name &&
    (await expandSet(setReader(selection, name), name, {
      ...describedBounds,
      depth: Math.min(depth, describedBounds.depth),
      members: Math.min(members, describedBounds.members),
      prefixes: withPrefixes ? Math.min(prefixes, describedBounds.prefixes) : 0,
      hasTime: timer(selection, maxDescribedMs),
    }));
  if (expansion?.isPartial && selection.smallOnly) throw tooLarge(`Set ${text} is not small`);
  return expansion;
}

/** Returns whether time remains, and lets other work run. */
export function timer({ pause }: Selection, ms: number): ExpansionBounds['hasTime'] {
  const end = performance.now() + ms;
  return async () => {
    await pause();
    return performance.now() < end;
  };
}

async function expanded(selection: Selection, name: SetName, withPrefixes: boolean): Promise<Expansion | undefined> {
  const size = sizeOf(selection);
  const { members } = size;
  const prefixes = withPrefixes ? size.prefixes : 0;
  const max = { ...bounds, sets: members, members, maintainers: members, prefixes };
  const whole = { ...max, wholeOnly: true, hasTime: timer(selection, maxMs) };
  const expansion = await expandSet(setReader(selection, name), name, whole);
  if (expansion?.isPartial) {
    const parts = [`${members} members`, ...(prefixes > 0 ? [`${prefixes} prefixes`] : []), `${bounds.depth} levels`];
    throw tooLarge(`Set ${name.name} has more than ${parts.join(', ')} or ${maxMs / 1_000} seconds of work`);
  }
  return expansion;
}

/** A set and its source. */
interface FoundSet {
  readonly name: string;
  readonly set: CompactSet;
  readonly index: SourceContents;
}

/**
 * Only in its own source when its name has one. Throws for a set that is not in the index because of its bounds, and
 * for one that is not small when only small ones are wanted: reading it takes long.
 */
function findSet(selection: Selection, { type, name, source }: SetName): FoundSet | undefined {
  const { index, sources, smallOnly } = selection;
  for (const one of source === undefined ? sources : index.resolve([source])) {
    const found = index.source(one);
    const set = found?.set(type, name);
    if (found === undefined || set === undefined) continue;
    if (typeof set === 'string') throw tooLarge(refusalText(name.toUpperCase(), set, found.bounds));
    if (smallOnly && set.size > small.members) throw tooLarge(`Set ${name} is not small`);
    return { name, set, index: found };
  }
  return undefined;
}

/**
 * The members that name a set. Mntners are names of one registry: only objects of the source of the set can join it.
 * Throws when the set has too many members with them.
 */
function joinedTo({ name, set, index }: FoundSet): string[] {
  if (set.admitted === '') return [];
  const max = index.bounds.setMembers - set.size;
  const joined = index.joined(name, set, max + 1);
  if (joined.length > max) throw tooLarge(refusalText(name.toUpperCase(), 'set', index.bounds));
  return joined;
}

/** The reader of an expansion that starts at a set. */
export function setReader(selection: Selection, root: SetName): SetReader {
  const { hold } = selection;
  const rootName = root.name.toLowerCase();
  const isExcluded = (name: string) => name !== rootName && selection.excluded.has(name);
  return {
    sets: async (names, max) => {
      let left = max;
      return names.map((one): SetContents | undefined => {
        const found = left <= 0 || isExcluded(one.name.toLowerCase()) ? undefined : findSet(selection, one);
        if (found === undefined) return undefined;
        const { asNumbers, others, admitted, members, size } = found.set;
        left -= members;
        hold?.(setBytes + asNumbers.length * asNumberBytes + (size - asNumbers.length) * memberBytes);
        const mntners = valuesIn(admitted);
        return { asNumbers, members: valuesIn(others), admitted: mntners.includes('any') ? 'any' : mntners };
      });
    },
    joined: async (sets, max) => {
      let left = max;
      return sets.map((set: AdmittingSet) => {
        const found = findSet(selection, set);
        const members = found === undefined ? [] : joinedTo(found).slice(0, left);
        hold?.(members.length * memberBytes);
        left -= members.length;
        return members;
      });
    },
    prefixes: async (asNumbers, max) => {
      let left = max;
      const found = selection.routeSources.flatMap((source) => selection.index.source(source) ?? []);
      const all: (readonly PrefixLengths[])[] = [];
      for (const number of asNumbers) {
        const some = listsOf(found, number).map(({ family, words }) => {
          const taken = words.slice(0, left * wordsEach(family));
          left -= taken.length / wordsEach(family);
          return { family, words: taken };
        });
        all.push(some.length === 0 ? noPrefixes : await prefixLengthsIn(some, selection));
      }
      return all;
    },
  };
}

const noPrefixes: readonly PrefixLengths[] = [];

/** The prefixes of the routes of an AS number: most have none. */
function listsOf(sources: readonly SourceContents[], asNumber: number): PrefixList[] {
  const lists: PrefixList[] = [];
  for (const { routes } of sources) {
    for (const family of families) {
      const list = routes.of(asNumber, family);
      if (list !== undefined) lists.push(list);
    }
  }
  return lists;
}

/** Memory of a set in an expansion. */
const setBytes = 600;

/** Memory of a prefix with its text in an expansion. */
const rangeBytes = 450;

const families = [4, 6] as const;

/** Prefixes to make before other work may run. */
const rangesAtOnce = 500;

/** The prefixes of lists that do not change. */
async function prefixLengthsIn(
  lists: readonly { readonly family: Family; readonly words: Uint32Array }[],
  { hold, pause }: Selection,
): Promise<PrefixLengths[]> {
  const prefixes: PrefixLengths[] = [];
  for (const { family, words } of lists) {
    const each = wordsEach(family);
    hold?.((words.length / each) * rangeBytes);
    for (let at = 0; at < words.length; at += each) {
      const length = words[at + each - 1]!;
      prefixes.push({ prefix: rangeAt(words, at, family), least: length, max: length });
      if (prefixes.length % rangesAtOnce === 0) await pause();
    }
  }
  return prefixes;
}
