import {
  type Attribute,
  cleanValue,
  firstValueOf,
  isPerson,
  type ObjectTypeName,
  type RpslObject,
} from '@cadastre/rpsl';

/**
 * How well an attribute describes an object; smaller is better. Does not have what lookups hide (decision R1), nor what
 * names a person (ADR 0053).
 */
const attributeRanks: ReadonlyMap<string, number> = new Map([
  ['netname', 0],
  ['as-name', 0],
  ['org-name', 0],
  ['role', 0],
  ['descr', 1],
  ['address', 2],
  ['remarks', 2],
  ['text', 2],
]);

/** The number of ranks. */
export const wordRanks = 3;

const nameAttributes = ['netname', 'as-name', 'org-name', 'role'];

/** Types whose keys are names that consist of words. They have rank 0. */
const wordyKeys: ReadonlySet<ObjectTypeName> = new Set<ObjectTypeName>([
  'aut-num',
  'as-set',
  'route-set',
  'inet-rtr',
  'filter-set',
  'peering-set',
  'rtr-set',
  'poetic-form',
  'poem',
  'mntner',
  'irt',
]);

/** Maximum number of words by which an object is found; the first ones count. */
const maxIndexed = 200;

const maxNameLength = 200;

/** The folded words by which an object is found, each with its best rank. */
export function wordsOf(object: RpslObject): ReadonlyMap<string, number> {
  const words = new Map<string, number>();
  if (isPerson(object)) return words;
  for (const attribute of object.attributes) {
    const rank = rankOf(object, attribute);
    if (rank === undefined) continue;
    for (const word of splitWords(cleanValue(attribute))) {
      const known = words.get(word);
      if (known === undefined ? words.size < maxIndexed : rank < known) words.set(word, rank);
    }
    if (words.size === maxIndexed) break;
  }
  return words;
}

function rankOf({ type }: RpslObject, { name }: Attribute): number | undefined {
  return name === type && wordyKeys.has(type) ? 0 : attributeRanks.get(name);
}

/** The folded name of an object, besides its key. */
export function nameOf(object: RpslObject): string | undefined {
  const name = isPerson(object) ? undefined : writtenName(object);
  return name === undefined ? undefined : foldName(name);
}

/** The folded name of a person, or of a role that is about one. */
export function personNameOf(object: RpslObject): string | undefined {
  const name = isPerson(object) ? firstValueOf(object, object.type) : undefined;
  return name === undefined ? undefined : foldName(name);
}

/** The folded first description of an object that has no name. */
export function descriptionOf(object: RpslObject): string | undefined {
  const isNamed = isPerson(object) || writtenName(object) !== undefined;
  const description = isNamed ? undefined : firstValueOf(object, 'descr');
  return description === undefined ? undefined : foldName(description);
}

/** The form in which names are compared. */
export function foldName(name: string): string {
  return foldText(name.trim().replace(/\s+/g, ' ')).slice(0, maxNameLength);
}

/** The title of an object: its name, or else its first description. */
export function titleOf(object: RpslObject): string | undefined {
  return isPerson(object) ? undefined : (writtenName(object) ?? firstValueOf(object, 'descr'));
}

function writtenName(object: RpslObject): string | undefined {
  for (const name of nameAttributes) {
    const value = firstValueOf(object, name);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** An attribute of an object that has words of a query. */
export interface MatchedAttribute {
  readonly name: string;
  /** Without comments; a part if it is long. */
  readonly value: string;
}

const maxMatches = 3;

/** The first attributes that have any of the folded words. */
export function matchedAttributes(object: RpslObject, words: ReadonlySet<string>): MatchedAttribute[] {
  const matches: MatchedAttribute[] = [];
  if (isPerson(object)) return matches;
  for (const attribute of object.attributes) {
    if (rankOf(object, attribute) === undefined) continue;
    const value = cleanValue(attribute);
    const first = splitWords(value).find((word) => words.has(word));
    if (first === undefined) continue;
    matches.push({ name: attribute.name, value: partOf(value, first) });
    if (matches.length === maxMatches) break;
  }
  return matches;
}

const maxPartLength = 200;

/** For a long value, the part around a word. */
function partOf(value: string, word: string): string {
  if (value.length <= maxPartLength) return value;
  // If folding changes lengths, the part is shifted a little.
  const at = Math.max(0, foldText(value).indexOf(word) - maxPartLength / 2);
  return value.slice(at, at + maxPartLength).trim();
}

/** Longer words are truncated. */
const maxWordLength = 64;

/** Letters that have no form without an accent. */
const spelled: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', ø: 'o', ð: 'd', þ: 'th' };

const ascii = /^[\0-\x7f]*$/;

/** The text in lower case and without accents, so that people find it with any keyboard. */
export function foldText(text: string): string {
  const lower = text.toLowerCase();
  if (ascii.test(lower)) return lower;
  return lower
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .replace(/[ßæøðþ]/g, (letter) => spelled[letter]!);
}

/**
 * The words of a text, folded, in their order, possibly with duplicates. Any character but letters and digits separates
 * words, as in `EXAMPLE-NET_1`; a single character is not a word.
 */
export function splitWords(text: string): string[] {
  const words = foldText(text).match(/[a-z0-9]{2,}/g) ?? [];
  return words.map((word) => word.slice(0, maxWordLength));
}
