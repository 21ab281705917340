import { type ExpandableType, type Member, parseMember, type SetContents } from './members.js';
import { formatPrefixLengths, type PrefixLengths, withOperator } from './prefix-lengths.js';
import { sortInParts } from './sort-in-parts.js';

export interface SetName {
  readonly type: ExpandableType;
  readonly name: string;
  /** The source that has it, in upper case, when its name has one (`SOURCE::AS-SET`). */
  readonly source?: string;
}

/** A set, and the mntners whose objects may join it. */
export interface AdmittingSet extends SetName {
  /** Mntners in lower case. */
  readonly maintainers: readonly string[] | 'any';
}

/** Reads the contents of sets. An expansion reads level by level, and nothing twice. */
export interface SetReader {
  /**
   * At most 50 sets, in the order of their names; undefined for one that does not exist. May return undefined for sets
   * after the first `max` members in all.
   */
  sets(names: readonly SetName[], max: number): Promise<readonly (SetContents | undefined)[]>;
  /** The members that name each of these sets in `member-of`, in the form of `members`: at most `max` in all. */
  joined(sets: readonly AdmittingSet[], max: number): Promise<readonly (readonly string[])[]>;
  /** The prefixes of the routes of each of at most 125 AS numbers: at most `max` in all. */
  prefixes(asNumbers: readonly number[], max: number): Promise<readonly (readonly PrefixLengths[])[]>;
}

/** Bounds of an expansion. One that reaches them is partial. */
export interface ExpansionBounds {
  /** Levels of sets below the first one. */
  readonly depth: number;
  readonly sets: number;
  /** Maximum members of all sets together. */
  readonly members: number;
  /** Maximum mntners in `mbrs-by-ref` of all sets together: each needs a query. */
  readonly maintainers: number;
  /** Maximum prefixes, including those of routes; with 0 the expansion has none. */
  readonly prefixes: number;
  /** Whether a partial expansion is useless. Then it stops at the bound, and is empty. */
  readonly wholeOnly?: boolean;
  /** Whether time remains. It may wait, so that other work of the process runs first. */
  hasTime(): Promise<boolean>;
}

/** A set with its direct members. */
export interface ReadSet extends SetName {
  /** As written in `members` and `mp-members`; without those that the reader returns as numbers. */
  readonly members: readonly string[];
  /** Those members. */
  readonly asNumbers: Uint32Array;
  /** Members that name the set, and that it admits. */
  readonly joined: readonly string[];
}

/** The contents of a set. */
export interface Expansion {
  /** The set itself and the sets in it, level by level; each once. */
  readonly sets: readonly ReadSet[];
  /** Names of sets that do not exist. */
  readonly missing: readonly string[];
  /** Ascending. */
  readonly asNumbers: readonly number[];
  /**
   * The number of prefixes of the routes of each AS number, in the same order; of the first ones, if not all were read.
   */
  readonly prefixCounts: readonly number[];
  /** By address: `192.0.2.0/24`, `192.0.2.0/24^25-26`. */
  readonly ipv4Prefixes: readonly string[];
  readonly ipv6Prefixes: readonly string[];
  /** Names and addresses. */
  readonly routers: readonly string[];
  /** Whether more exists. */
  readonly isPartial: boolean;
}

/**
 * Expands a set level by level, with `members`, `mp-members` and `mbrs-by-ref` (RFC 2622 section 5). A set in a loop
 * counts once. A range operator of a member applies to all prefixes behind it. Undefined when the set does not exist.
 */
export async function expandSet(
  reader: SetReader,
  root: SetName,
  bounds: ExpansionBounds,
): Promise<Expansion | undefined> {
  const read = await readSets(reader, root, bounds);
  if (!read.sets.has(idOf(root))) return undefined;
  if (read.isPartial && bounds.wholeOnly) return nothing;
  const leaves = await leavesOf(read.sets, root, bounds);
  if (leaves.isPartial && bounds.wholeOnly) return nothing;
  const asNumbers = await ascending(leaves.asNumbers, bounds);
  const { texts, counts, ...prefixes } = await allPrefixes(reader, asNumbers, leaves, bounds);
  if (prefixes.isPartial && bounds.wholeOnly) return nothing;
  return {
    sets: [...read.sets.values()].map(({ named, ...set }) => set),
    missing: [...read.missing.values()],
    asNumbers,
    prefixCounts: counts,
    ipv4Prefixes: texts[4],
    ipv6Prefixes: texts[6],
    routers: [...leaves.routers].sort(),
    isPartial: read.isPartial || leaves.isPartial || prefixes.isPartial,
  };
}

const nothing: Expansion = {
  sets: [],
  missing: [],
  asNumbers: [],
  prefixCounts: [],
  ipv4Prefixes: [],
  ipv6Prefixes: [],
  routers: [],
  isPartial: true,
};

/** A set, and what its members name. */
interface KnownSet extends ReadSet {
  readonly named: readonly Member[];
}

/** Maximum number of sets of a read: a set may have a megabyte. */
const setsAtOnce = 50;

/** Members to handle before other work may run. */
const membersAtOnce = 500;

/** Members that are AS numbers already to handle before other work may run. */
const numbersAtOnce = 5_000;

async function readSets(reader: SetReader, root: SetName, bounds: ExpansionBounds) {
  const sets = new Map<string, KnownSet>();
  const missing = new Map<string, string>();
  let left = bounds.members;
  let admitted = bounds.maintainers;
  let level: readonly SetName[] = [root];
  let isPartial = false;
  let isFull = false;
  const take = <T extends { readonly length: number; slice(start: number, end: number): T }>(values: T): T => {
    const taken = values.length > left ? values.slice(0, left) : values;
    isFull ||= taken.length < values.length;
    left -= taken.length;
    return taken;
  };
  /** The members of some sets that name sets. */
  const readSome = async (names: readonly SetName[], next: Map<string, SetName>) => {
    // Reads one more than the room, to know whether there are more.
    const contents = await reader.sets(names, left + 1);
    const found = names.flatMap((set, at) => (contents[at] ? [{ set, contents: contents[at] }] : []));
    const count = found.reduce(
      (sum, { contents: { members, asNumbers } }) => sum + members.length + (asNumbers?.length ?? 0),
      0,
    );
    names.forEach((set, at) => {
      if (count <= left && contents[at] === undefined)
        missing.set(idOf(set), set.source === undefined ? set.name : `${set.source}::${set.name}`);
    });
    const admitting = found.flatMap(({ set, contents: { admitted: maintainers } }): AdmittingSet[] => {
      const cost = maintainers === 'any' ? 1 : maintainers.length;
      if (cost > admitted) isPartial = true;
      if (cost === 0 || cost > admitted) return [];
      admitted -= cost;
      return [{ ...set, maintainers }];
    });
    const lists = admitting.length > 0 ? await reader.joined(admitting, left + 1) : [];
    const joinedTo = new Map(admitting.map((set, at) => [idOf(set), lists[at] ?? []]));
    for (const { set, contents } of found) {
      const { type, name, source } = set;
      const asNumbers = take(contents.asNumbers ?? noNumbers);
      const members = take(contents.members);
      const joined = take(joinedTo.get(idOf(set)) ?? []);
      const named: Member[] = [];
      for (const [at, value] of [...members, ...joined].entries()) {
        const member = parseMember(type, value);
        if (member !== undefined) named.push(member);
        if (member?.kind === 'set') next.set(idOf(member), member);
        if (at % membersAtOnce === membersAtOnce - 1) await bounds.hasTime();
      }
      const ofSource = source === undefined ? {} : { source };
      sets.set(idOf(set), { type, name, ...ofSource, members, asNumbers, joined, named });
      await bounds.hasTime();
    }
  };
  for (let depth = 0; level.length > 0; depth++) {
    const requested = level.slice(0, bounds.sets - sets.size);
    const mayRead = depth <= bounds.depth && requested.length > 0;
    if (!mayRead || requested.length < level.length) isPartial = true;
    if (!mayRead) break;
    const next = new Map<string, SetName>();
    for (let at = 0; at < requested.length; at += setsAtOnce) {
      if (isFull || !(await bounds.hasTime())) return { sets, missing, isPartial: true };
      await readSome(requested.slice(at, at + setsAtOnce), next);
    }
    level = [...next].flatMap(([id, set]) => (sets.has(id) || missing.has(id) ? [] : [set]));
  }
  return { sets, missing, isPartial: isPartial || isFull };
}

const noNumbers = new Uint32Array(0);

/** Range operators that apply one after the other. */
type Operators = readonly string[];

/** The leaves of sets. */
interface Leaves {
  /** By AS number: the operators for its prefixes, possibly several, by their text. */
  readonly asNumbers: ReadonlyMap<number, ReadonlyMap<string, Operators>>;
  readonly prefixes: readonly PrefixLengths[];
  readonly routers: ReadonlySet<string>;
  readonly isPartial: boolean;
}

/** Follows the members of a set to those that are not sets, with the operators on the way. */
async function leavesOf(sets: ReadonlyMap<string, KnownSet>, root: SetName, bounds: ExpansionBounds): Promise<Leaves> {
  const asNumbers = new Map<number, Map<string, Operators>>();
  // Shared by most AS numbers: a map for each would take longer than everything else.
  const plain = new Map<string, Operators>([['', []]]);
  const prefixes: PrefixLengths[] = [];
  const routers = new Set<string>();
  const entered = new Set([enteredAs(root, [])]);
  const queue: [SetName, Operators][] = [[root, []]];
  // With operators on the way, an expansion may enter a set several times. Each operator costs as much as a member.
  let left = bounds.members;
  for (const [name, operators] of queue) {
    const { named = [], asNumbers: numbers = noNumbers } = sets.get(idOf(name)) ?? {};
    left -= (named.length + numbers.length) * (operators.length + 1);
    if (left < 0 || !(await bounds.hasTime())) return { asNumbers, prefixes, routers, isPartial: true };
    const addNumber = (number: number, inner: Operators) => {
      const known = asNumbers.get(number);
      if (known === undefined && inner.length === 0) asNumbers.set(number, plain);
      // Never changes the shared map.
      else asNumbers.set(number, (known === plain ? new Map(plain) : (known ?? new Map())).set(inner.join(' '), inner));
    };
    for (const [at, number] of numbers.entries()) {
      addNumber(number, operators);
      if (at % numbersAtOnce === numbersAtOnce - 1) await bounds.hasTime();
    }
    for (const [at, member] of named.entries()) {
      if (at % membersAtOnce === membersAtOnce - 1) await bounds.hasTime();
      if (member.kind === 'router') routers.add(member.name.toLowerCase());
      else if (member.kind === 'prefixes') prefixes.push(...ranged(member.prefixes, operators));
      else {
        const inner = withInner(operators, member.operator);
        if (member.kind === 'as') addNumber(member.number, inner);
        else if (!entered.has(enteredAs(member, inner))) {
          entered.add(enteredAs(member, inner));
          queue.push([member, inner]);
        }
      }
    }
  }
  return { asNumbers, prefixes, routers, isPartial: false };
}

function enteredAs(set: SetName, operators: Operators): string {
  return `${idOf(set)} ${operators.join(' ')}`;
}

/** A loop applies an operator once. */
function withInner(operators: Operators, inner: string): Operators {
  return inner === '' || operators.includes(inner) ? operators : [inner, ...operators];
}

function ranged(prefixes: PrefixLengths, operators: Operators): PrefixLengths[] {
  let result: PrefixLengths | undefined = prefixes;
  for (const operator of operators) result = result && withOperator(result, operator);
  return result ? [result] : [];
}

/** Maximum number of AS numbers of a read. */
const asNumbersAtOnce = 125;

/** Prefixes to handle before other work may run. */
const prefixesAtOnce = 500;

/** Maximum repetitions of a prefix, on average: many operators of one AS number may make the same prefixes, or none. */
const maxRepetition = 4;

/** The prefixes among the members, and those of the routes of AS numbers. */
async function allPrefixes(
  reader: SetReader,
  numbers: readonly number[],
  { asNumbers, prefixes }: Leaves,
  bounds: ExpansionBounds,
) {
  const all = new Map<string, PrefixLengths>();
  let left = maxRepetition * bounds.prefixes;
  let isLate = false;
  const isFull = () => isLate || left < 0 || all.size > bounds.prefixes;
  const add = async (some: readonly PrefixLengths[], operators: Operators) => {
    for (const unranged of some) {
      if (isFull()) return;
      for (const one of ranged(unranged, operators)) all.set(formatPrefixLengths(one), one);
      if (--left % prefixesAtOnce === 0) isLate = !(await bounds.hasTime());
    }
  };
  const counts: number[] = [];
  let at = 0;
  if (bounds.prefixes > 0) await add(prefixes, []);
  while (bounds.prefixes > 0 && at < numbers.length && !isFull() && (await bounds.hasTime())) {
    const requested = numbers.slice(at, at + asNumbersAtOnce);
    const max = bounds.prefixes + 1 - all.size;
    const found = await reader.prefixes(requested, max);
    counts.push(...countsBelow(found, max));
    for (const [position, some] of found.entries()) {
      if (some.length === 0) continue;
      for (const operators of asNumbers.get(requested[position]!)!.values()) await add(some, operators);
    }
    at += requested.length;
  }
  const isPartial = bounds.prefixes > 0 && (at < numbers.length || isFull());
  const texts: Record<4 | 6, string[]> = { 4: [], 6: [] };
  const first: (readonly [string, PrefixLengths])[] = [];
  for (const entry of all) {
    if (first.length < bounds.prefixes) first.push(entry);
    if (first.length % prefixesAtOnce === 0) await bounds.hasTime();
  }
  const list = await sortInParts(first, ([, a], [, b]) => byAddress(a, b), bounds.hasTime);
  for (const [text, { prefix }] of list) texts[prefix.family].push(text);
  return { texts, counts, isPartial };
}

/** Faster than by comparison. */
async function ascending(asNumbers: Leaves['asNumbers'], { hasTime }: ExpansionBounds): Promise<number[]> {
  const numbers = new Uint32Array(asNumbers.size);
  let count = 0;
  for (const number of asNumbers.keys()) {
    numbers[count++] = number;
    if (count % numbersAtOnce === 0) await hasTime();
  }
  const sorted = [...numbers.sort()];
  await hasTime();
  return sorted;
}

/** The lengths of lists, up to the first one that a bound on all of them may have cut. */
function countsBelow(lists: readonly (readonly unknown[])[], max: number): number[] {
  let sum = 0;
  return lists.flatMap(({ length }) => {
    sum += length;
    return sum < max ? [length] : [];
  });
}

/** The same set in any letter case. */
function idOf({ type, name, source = '' }: SetName): string {
  return `${type} ${source} ${name.toLowerCase()}`;
}

function byAddress(a: PrefixLengths, b: PrefixLengths): number {
  const [one, other] = [a.prefix, b.prefix];
  if (one.family !== other.family) return one.family - other.family;
  if (one.first !== other.first) return one.first < other.first ? -1 : 1;
  if (one.last !== other.last) return one.last > other.last ? -1 : 1;
  return a.least - b.least || a.max - b.max;
}
