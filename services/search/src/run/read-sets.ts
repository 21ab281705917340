import {
  type AdmittingSet,
  type ExpandableType,
  foldKey,
  type ObjectTypeName,
  parsePrefixLengths,
  type SetContents,
  type SetName,
  type SetReader,
} from '@cadastre/rpsl';
import { type IndexReads, type KeyQuestion, type ObjectId, objectIdText } from '../index-port.js';
import type { ReadSetContents } from './set-contents.js';

/** What reads the index for an expansion. */
export interface SetIndex extends Pick<IndexReads, 'load'> {
  readonly contents: Pick<ReadSetContents, 'of'>;
  keysWith(questions: readonly KeyQuestion[], most: number): Promise<readonly (readonly string[])[]>;
}

/** Maximum number of questions in a read of keys (`SearchIndex.keysWith`). */
const questionsAtOnce = 250;

/** The types of the objects that may join sets. */
const joiningTypes: { readonly [type in ExpandableType]: readonly ObjectTypeName[] } = {
  'as-set': ['aut-num'],
  'route-set': ['route', 'route6'],
  'rtr-set': ['inet-rtr'],
};

/** Reads sets from the index of a source. `pause` lets other work go first, after each set. */
export function setReader(index: SetIndex, source: string, pause: () => Promise<unknown>): SetReader {
  return {
    sets: async (names, max) => {
      // The set of another source is not in this index.
      const isOwn = (one: SetName) => (one.source ?? source) === source;
      const idOf = ({ type, name }: SetName): ObjectId => ({ source, type, key: foldKey(type, name) });
      const sets = await loadSets(index, names.filter(isOwn).map(idOf), max, pause);
      return names.map((one) => (isOwn(one) ? sets.get(objectIdText(idOf(one))) : undefined));
    },
    joined: async (sets, most) => {
      const found = await keysOfAll(index, sets.map(joiningQuestions), most);
      return found.map((keys) => [...new Set(keys)].sort().map(memberOfKey));
    },
    prefixes: async (asNumbers, most) => {
      const questions = asNumbers.map((number) =>
        (['route', 'route6'] as const).map((type): KeyQuestion => ({ type, terms: [`origin=as${number}`] })),
      );
      const found = await keysOfAll(index, questions, most);
      return found.map((keys) => keys.flatMap((key) => parsePrefixLengths(prefixOfKey(key)) ?? []));
    },
  };
}

function joiningQuestions({ type, name, maintainers }: AdmittingSet): KeyQuestion[] {
  const joins = `member-of=${name.toLowerCase()}`;
  return joiningTypes[type].flatMap((one): KeyQuestion[] =>
    maintainers === 'any'
      ? [{ type: one, terms: [joins] }]
      : maintainers.map((maintainer) => ({ type: one, terms: [joins, `mnt-by=${maintainer}`] })),
  );
}

/** The sets that there are. After `max` members they are read no more: an object may have a megabyte. */
async function loadSets(
  index: SetIndex,
  ids: readonly ObjectId[],
  max: number,
  pause: () => Promise<unknown>,
): Promise<Map<string, SetContents>> {
  const sets = new Map<string, SetContents>();
  let members = 0;
  for (let left = ids; left.length > 0; ) {
    const { objects, later } = await index.load(left);
    for (const stored of objects) {
      if (members >= max) return sets;
      const contents = await index.contents.of(stored.text);
      if (contents === undefined) continue;
      members += contents.members.length;
      sets.set(objectIdText(stored), contents);
      await pause();
    }
    left = later;
  }
  return sets;
}

/** The keys for each list of questions together: at most `most` in all. */
async function keysOfAll(index: SetIndex, lists: readonly (readonly KeyQuestion[])[], most: number) {
  const asked = lists.flatMap((questions, at) => questions.map((question) => ({ question, at })));
  const all = lists.map((): string[] => []);
  let left = most;
  for (let from = 0; from < asked.length && left > 0; from += questionsAtOnce) {
    const part = asked.slice(from, from + questionsAtOnce);
    const found = await index.keysWith(
      part.map(({ question }) => question),
      left,
    );
    part.forEach(({ at }, position) => {
      all[at]!.push(...found[position]!);
      left -= found[position]!.length;
    });
  }
  return all;
}

/** A route joins a set with its prefix, an aut-num with its number. */
function memberOfKey(key: string): string {
  if (key.includes('/')) return prefixOfKey(key);
  return /^as\d+$/.test(key) ? key.toUpperCase() : key;
}

function prefixOfKey(key: string): string {
  return key.replace(/as\d+$/, '');
}
