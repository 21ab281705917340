import { parseAsNumber } from '../as-number.js';
import { isForeignName } from '../key.js';
import { type PrefixLengths, parsePrefixLengths } from './prefix-lengths.js';

/** The types of sets that have members. */
export const expandableTypes = ['as-set', 'route-set', 'rtr-set'] as const;
export type ExpandableType = (typeof expandableTypes)[number];

/** What a value of `members` or `mp-members` names. `operator` is its range operator, or empty. */
export type Member =
  | { readonly kind: 'as'; readonly number: number; readonly operator: string }
  | {
      readonly kind: 'set';
      readonly type: ExpandableType;
      readonly name: string;
      readonly operator: string;
      /** Upper case; only of a member that names it (`SOURCE::AS-SET`). */
      readonly source?: string;
    }
  | { readonly kind: 'prefixes'; readonly prefixes: PrefixLengths }
  /** A name or an address of a router. */
  | { readonly kind: 'router'; readonly name: string };

const typeOfPart: Readonly<Record<string, ExpandableType>> = { as: 'as-set', rs: 'route-set', rtrs: 'rtr-set' };

/** The type of the set that has a name, by the form of the name; undefined for no such name. */
export function setTypeOf(name: string): ExpandableType | undefined {
  const type = typeOfPart[/(?:^|:)(as|rs|rtrs)-[^:]/i.exec(name)?.[1]?.toLowerCase() ?? ''];
  return type !== undefined && isForeignName(type, name) ? type : undefined;
}

/** Reads the name of a set, optionally with its source (`SOURCE::AS-SET`); undefined for another text. */
export function parseSetName(
  text: string,
): { readonly type: ExpandableType; readonly name: string; readonly source?: string } | undefined {
  const end = text.indexOf('::');
  if (end < 0) {
    const type = setTypeOf(text);
    return type && { type, name: text };
  }
  const [source, name] = [text.slice(0, end).toUpperCase(), text.slice(end + 2)];
  const type = /^[A-Z][A-Z0-9_-]*$/.test(source) ? setTypeOf(name) : undefined;
  return type && { type, name, source };
}

const memberTypes: { readonly [type in ExpandableType]: readonly ExpandableType[] } = {
  'as-set': ['as-set'],
  'route-set': ['as-set', 'route-set'],
  'rtr-set': ['rtr-set'],
};

/** Reads a member of a set of a type; undefined for one that such a set cannot have. */
export function parseMember(type: ExpandableType, value: string): Member | undefined {
  const caret = type === 'route-set' ? value.indexOf('^') : -1;
  const name = caret < 0 ? value : value.slice(0, caret);
  const operator = caret < 0 ? '' : value.slice(caret);
  const number = type === 'rtr-set' ? undefined : parseAsNumber(name);
  if (number !== undefined) return { kind: 'as', number, operator };
  const set = parseSetName(name);
  if (set !== undefined && memberTypes[type].includes(set.type)) return { kind: 'set', ...set, operator };
  if (type === 'rtr-set') return value === '' ? undefined : { kind: 'router', name: value };
  const prefixes = type === 'route-set' ? parsePrefixLengths(value) : undefined;
  return prefixes && { kind: 'prefixes', prefixes };
}

/** The direct contents of a set. */
export interface SetContents {
  /** The values of `members` and `mp-members`, in their order, each once. */
  readonly members: readonly string[];
  /** Further members: AS numbers without a range operator, if the reader returns them as numbers. */
  readonly asNumbers?: Uint32Array;
  /** Mntners, in lower case, whose objects may join it by their `member-of`, or everyone's (`mbrs-by-ref`). */
  readonly admitted: readonly string[] | 'any';
}
