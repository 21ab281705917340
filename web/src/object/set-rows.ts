import type { ExpandedSet, SetExpansion } from '@cadastre/client';
import { type ExpandableType, expandableTypes, type Member, parseMember } from '@cadastre/rpsl';
import type { ShownRow } from '../design/tree-list.js';

/** The known sets, by their names in lower case. */
export interface KnownSets {
  readonly sets: ReadonlyMap<string, ExpandedSet>;
  readonly missing: ReadonlySet<string>;
  /** How many prefixes AS numbers have, if known. */
  readonly prefixes: ReadonlyMap<string, number>;
}

/** A member of a set in the tree. */
export interface MemberRow extends ShownRow {
  /** As written. */
  readonly value: string;
  readonly member: Member | undefined;
  /** Whether it names the set in `member-of`; otherwise the set names it. */
  readonly isJoined: boolean;
  /** For an AS number: how many prefixes its routes have, if known. */
  readonly prefixes?: number | undefined;
  /**
   * For a set: whether it does not exist, is inside itself, or is open and not loaded yet. Otherwise the number of its
   * members, if known.
   */
  readonly state?: 'missing' | 'loop' | 'unknown' | number;
}

/** Whether objects of a type have members to expand. */
export function hasMembers(type: string): type is ExpandableType {
  return expandableTypes.some((expandable) => expandable === type);
}

export const noSets: KnownSets = { sets: new Map(), missing: new Set(), prefixes: new Map() };

/** Adds an expansion to the known sets. */
export function withExpansion({ sets, missing, prefixes }: KnownSets, expansion: SetExpansion): KnownSets {
  const counts = expansion['prefix-counts'] ?? [];
  return {
    sets: new Map([...sets, ...expansion.sets.map((set) => [set.name.toLowerCase(), set] as const)]),
    missing: new Set([...missing, ...expansion.missing.map((name) => name.toLowerCase())]),
    prefixes: new Map([...prefixes, ...counts.map((count, at) => [expansion['as-numbers'][at]!, count] as const)]),
  };
}

/** The rows of the members of a set, and of the open sets among them. `path` names the sets around the rows. */
export function rowsOfSet(
  known: KnownSets,
  open: ReadonlySet<string>,
  name: string,
  path: readonly string[] = [name.toLowerCase()],
): MemberRow[] {
  const set = known.sets.get(name.toLowerCase());
  if (set === undefined) return [];
  const values = [
    ...set.members.map((value) => ({ value, isJoined: false })),
    ...set['by-reference'].map((value) => ({ value, isJoined: true })),
  ];
  return values.flatMap(({ value, isJoined }, at): MemberRow[] => {
    const member = parseMember(set.type as ExpandableType, value);
    const id = [...path, isJoined ? `${value} joined` : value].join(' > ');
    const row = { id, depth: path.length - 1, place: at + 1, siblings: values.length, value, member, isJoined };
    if (member?.kind === 'as') return [{ ...row, prefixes: known.prefixes.get(`AS${member.number}`) }];
    if (member?.kind !== 'set') return [row];
    const inner = setNameOf(member).toLowerCase();
    const state = stateOf(known, inner, path);
    if (state === 'missing' || state === 'loop' || state === 0) return [{ ...row, state }];
    const isOpen = open.has(id);
    const inside = isOpen ? rowsOfSet(known, open, inner, [...path, inner]) : [];
    return [{ ...row, state, isOpen }, ...inside];
  });
}

/** The name of a set as a member gives it, with its source if it has one. */
export function setNameOf({ name, source }: Extract<Member, { kind: 'set' }>): string {
  return source === undefined ? name : `${source}::${name}`;
}

function stateOf({ sets, missing }: KnownSets, name: string, path: readonly string[]): MemberRow['state'] {
  if (path.includes(name)) return 'loop';
  if (missing.has(name)) return 'missing';
  const set = sets.get(name);
  return set ? set.members.length + set['by-reference'].length : 'unknown';
}
