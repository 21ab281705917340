import { type Omission, OmissionReason } from '@cadastre/proto/whois';
import { expandSet, type ReadSet, type SetContents, type SetName, type SetReader } from '@cadastre/rpsl';
import { formatMessage, ServiceError } from '@cadastre/service';
import { expansionDepth, type Selection, setReader, sizeOf, timer, tooLarge } from './expansion.js';
import type { FindConflict } from './hidden-routes.js';
import { type Family, type PrefixList, wordsEach } from './prefix-list.js';
import { prefixText } from './prefix-text.js';
import type { SetIndex } from './set-index.js';
import type { SourceContents } from './source-index.js';

/** What an expansion leaves out: sets, then routes. */
export interface Explanation {
  readonly omissions: readonly Omission[];
  /** Number of further ones. */
  readonly more: number;
  /** Whether there may be others. */
  readonly isPartial: boolean;
}

/** The question of an explanation. */
interface Explained {
  readonly root: SetName;
  readonly families: readonly Family[];
  readonly findConflict: FindConflict;
}

/** Maximum reasons of an explanation; it has the number of all others. */
const maxOmissions = 1_000;
/** Memory of a reason with its texts. */
const omissionBytes = 600;
/** Maximum time of an explanation: that of a description. */
const maxMs = 5_000;
/** Prefixes and members to handle before other work may run. */
const atOnce = 500;

/** The index, and which sets and prefixes to explain. */
type ExplainedSelection = Selection & { readonly index: Pick<SetIndex, 'source' | 'names'> };

/**
 * Explains what an expansion of an as-set or route-set leaves out. Undefined for an unknown set. It reads what the
 * expansion reads, and counts it as memory likewise; what it would have to read beyond the bounds is not found.
 */
export async function explanationOf(
  selection: ExplainedSelection,
  question: Explained,
): Promise<Explanation | undefined> {
  const { root } = question;
  const notes = createNotes(selection);
  const others = otherSources(selection.index, selection.sources);
  const othersOfRoutes = otherSources(selection.index, selection.routeSources);
  const hasTime = timer(selection, maxMs);
  const ofSets = await explainSets(selection, root, others, notes, hasTime);
  if (ofSets === undefined) return undefined;
  const { asNumbers } = ofSets;
  const ofRoutes = await explainRoutes(selection, question, asNumbers, othersOfRoutes.available(), notes, hasTime);
  return {
    omissions: [...ofSets.omissions, ...ofRoutes.omissions],
    more: notes.more,
    isPartial: ofSets.isPartial || ofRoutes.isPartial || others.isPartial() || othersOfRoutes.isPartial(),
  };
}

/** The sets that an expansion leaves out, and the AS numbers in the others; undefined for an unknown set. */
async function explainSets(
  selection: ExplainedSelection,
  root: SetName,
  others: ReturnType<typeof otherSources>,
  notes: Notes,
  hasTime: () => Promise<boolean>,
) {
  const { members } = sizeOf(selection);
  const found = new Map<string, Omission>();
  const note = (set: SetName, omission: Omission) => {
    const id = idOf(set);
    if (!found.has(id) && notes.take()) found.set(id, { ...omission, set: id });
  };
  const bounds = { depth: expansionDepth, sets: members, members, maintainers: members, prefixes: 0, hasTime };
  const expansion = await expandSet(explainingReader(selection, root, others, note), root, bounds);
  if (expansion === undefined) {
    const isUnknown = found.get(idOf(root))?.reason === OmissionReason.OMISSION_REASON_UNKNOWN_SET;
    return isUnknown ? undefined : { omissions: [...found.values()], asNumbers: [], isPartial: false };
  }
  const { isPartial, asNumbers, sets } = expansion;
  if (isPartial) {
    if (selection.smallOnly) throw tooLarge(`Set ${root.name} is not small`);
    const detail = `Set ${root.name.toUpperCase()} has more than ${members} members in all sets, or too many levels`;
    note(root, { ...plain, reason: OmissionReason.OMISSION_REASON_TOO_LARGE, detail });
  }
  return { omissions: await withParents(found, root, sets, selection), asNumbers, isPartial };
}

/** Origins to look up before other work may run. */
const originsAtOnce = 100;

/** The hidden routes of AS numbers, then those that only other sources have. */
async function explainRoutes(
  selection: ExplainedSelection,
  { root, families, findConflict }: Explained,
  asNumbers: readonly number[],
  others: readonly NamedIndex[],
  notes: Notes,
  hasTime: () => Promise<boolean>,
) {
  const { routes: max } = sizeOf(selection);
  const own = selection.routeSources.flatMap((name): NamedIndex[] => {
    const index = selection.index.source(name);
    return index === undefined ? [] : [{ name, index }];
  });
  const omissions: Omission[] = [];
  let compared = 0;
  /** Returns whether there was enough time. */
  const explain = async (source: string, list: PrefixList, origin: number, isHidden: boolean): Promise<boolean> => {
    const { family } = list;
    const each = wordsEach(family);
    compared += list.size;
    if (compared > max && selection.smallOnly) throw tooLarge(`Set ${root.name} is not small`);
    if (compared > max) return false;
    const has = (lists: SourceContents['routes'], prefix: Uint32Array) =>
      lists.of(origin, family)?.has(prefix) ?? false;
    for (let at = 0; at < list.size; at++) {
      const prefix = list.words.slice(at * each, (at + 1) * each);
      const isThere = own.some(({ index: { routes, hidden } }) => {
        return has(routes, prefix) || (!isHidden && has(hidden, prefix));
      });
      if (!isThere && notes.take()) {
        const route = { prefix: prefixText(prefix, family), origin, sources: [source] };
        const conflict = isHidden ? findConflict(origin, family, prefix) : undefined;
        const roa = conflict && { prefix: conflict.text, maxLength: conflict.maxLength, origin: conflict.asn };
        const ofHidden = conflict === undefined ? ofPreference : ofRoas;
        omissions.push({ reason: isHidden ? ofHidden : ofOthers, ...route, roa });
      }
      if (at % atOnce === atOnce - 1 && !(await hasTime())) return false;
    }
    return true;
  };
  const passes = [
    ...own.map(({ name, index }) => ({ name, lists: index.hidden, isHidden: true })),
    ...others.map(({ name, index }) => ({ name, lists: index.routes, isHidden: false })),
  ];
  for (const { name, lists, isHidden } of passes) {
    for (const [at, origin] of lists.size === 0 ? [] : asNumbers.entries()) {
      if (at % originsAtOnce === 0 && !(await hasTime())) return { omissions, isPartial: true };
      for (const family of families) {
        const list = lists.of(origin, family);
        if (list && !(await explain(name, list, origin, isHidden))) return { omissions, isPartial: true };
      }
    }
  }
  return { omissions, isPartial: false };
}

const ofRoas = OmissionReason.OMISSION_REASON_ROA_INVALID;
const ofPreference = OmissionReason.OMISSION_REASON_LESS_PREFERRED;
const ofOthers = OmissionReason.OMISSION_REASON_OTHER_SOURCE;

const plain: Omission = { reason: OmissionReason.OMISSION_REASON_UNSPECIFIED, sources: [] };

/** Counts reasons, and holds the memory of those that are shown. */
interface Notes {
  readonly more: number;
  /** Whether there is room for one more. */
  take(): boolean;
}

function createNotes({ hold }: Selection): Notes {
  let count = 0;
  return {
    take() {
      if (++count > maxOmissions) return false;
      hold?.(omissionBytes);
      return true;
    },
    get more() {
      return Math.max(0, count - maxOmissions);
    },
  };
}

/** The index of a source. */
interface NamedIndex {
  readonly name: string;
  readonly index: SourceContents;
}

/** The sources that are not among those that an expansion reads. */
function otherSources(index: ExplainedSelection['index'], read: readonly string[]) {
  let isPartial = false;
  return {
    /** Whether the index of one of them is not complete. */
    isPartial: () => isPartial,
    available: () =>
      index.names.flatMap((name): NamedIndex[] => {
        if (read.includes(name)) return [];
        try {
          const found = index.source(name);
          return found === undefined ? [] : [{ name, index: found }];
        } catch (error) {
          if (!(error instanceof ServiceError)) throw error;
          isPartial = true;
          return [];
        }
      }),
  };
}

/** Reads sets as an expansion does. Notes those that it cannot read, and continues without them. */
function explainingReader(
  selection: Selection,
  root: SetName,
  others: ReturnType<typeof otherSources>,
  note: (set: SetName, omission: Omission) => void,
): SetReader {
  const reader = setReader(selection, root);
  /** Undefined for a set that is too large. */
  const unlessTooLarge = async <T>(set: SetName, read: () => Promise<readonly T[]>): Promise<T | undefined> => {
    try {
      return (await read())[0];
    } catch (error) {
      if (selection.smallOnly || !(error instanceof ServiceError) || error.kind !== 'out-of-range') throw error;
      const detail = error.messages.map(formatMessage).join('; ');
      note(set, { ...plain, reason: OmissionReason.OMISSION_REASON_TOO_LARGE, detail });
      return undefined;
    }
  };
  const whyMissing = ({ type, name, source }: SetName): Omission => {
    const isMember = name.toLowerCase() !== root.name.toLowerCase();
    if (isMember && selection.excluded.has(name.toLowerCase()))
      return { ...plain, reason: OmissionReason.OMISSION_REASON_EXCLUDED_SET };
    const searched = source === undefined ? [] : selection.sources.filter((one) => one !== source);
    const having = [
      ...searched.filter((one) => selection.index.source(one)?.set(type, name) !== undefined),
      ...others.available().flatMap((one) => (one.name !== source && one.index.set(type, name) ? [one.name] : [])),
    ];
    const reason =
      having.length > 0
        ? OmissionReason.OMISSION_REASON_SET_OF_OTHER_SOURCE
        : OmissionReason.OMISSION_REASON_UNKNOWN_SET;
    return { reason, sources: having };
  };
  return {
    ...reader,
    sets: async (names, max) => {
      let left = max;
      const all: (SetContents | undefined)[] = [];
      for (const one of names) {
        const contents = await unlessTooLarge(one, () => reader.sets([one], left));
        if (contents !== undefined) left -= contents.members.length + (contents.asNumbers?.length ?? 0);
        // A set that is too large has its reason.
        else if (left > 0) note(one, whyMissing(one));
        all.push(contents);
      }
      return all;
    },
    joined: async (sets, max) => {
      let left = max;
      const all: (readonly string[])[] = [];
      for (const one of sets) {
        const joined = (await unlessTooLarge(one, () => reader.joined([one], left))) ?? [];
        left -= joined.length;
        all.push(joined);
      }
      return all;
    },
  };
}

/** The reasons with a set that has the set as a member. */
async function withParents(
  omissions: ReadonlyMap<string, Omission>,
  root: SetName,
  sets: readonly ReadSet[],
  { pause }: Selection,
): Promise<Omission[]> {
  const explained = new Map(omissions);
  const left = new Set(omissions.keys());
  left.delete(idOf(root));
  for (const set of sets) {
    if (left.size === 0) break;
    for (const [at, member] of [...set.members, ...set.joined].entries()) {
      const id = member.replace(/\^.*/, '').toUpperCase();
      if (left.delete(id)) explained.set(id, { ...explained.get(id)!, memberOf: idOf(set) });
      if (at % atOnce === 0) await pause();
    }
  }
  return [...explained.values()];
}

/** The name of a set, as members write it. */
function idOf({ name, source }: SetName): string {
  return (source === undefined ? name : `${source}::${name}`).toUpperCase();
}
