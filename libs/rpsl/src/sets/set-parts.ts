import type { ReadSet } from './expand.js';

/** A set with its direct members, or a part of it: its lists continue those of the part before. */
export interface SetPart {
  readonly type: string;
  /** With its source if members write it so: "SOURCE::AS-EXAMPLE". */
  readonly name: string;
  readonly members: string[];
  readonly joined: string[];
}

/** Cuts a set into parts of at most this many values, members first. Awaits `pause` before each part. */
export async function* setInParts(
  { type, name, source, asNumbers, members, joined }: ReadSet,
  maxValues: number,
  pause: () => Promise<unknown>,
): AsyncGenerator<SetPart> {
  const named = { type, name: source === undefined ? name : `${source}::${name}` };
  const joinedFrom = asNumbers.length + members.length;
  let at = 0;
  do {
    await pause();
    /** The values of a list in this part; `from` is the number of values before the list. */
    const some = (list: readonly string[], from: number) =>
      list.slice(Math.max(0, at - from), Math.max(0, at + maxValues - from));
    const numbers = Array.from(asNumbers.subarray(at, at + maxValues), (number) => `AS${number}`);
    yield { ...named, members: [...numbers, ...some(members, asNumbers.length)], joined: some(joined, joinedFrom) };
    at += maxValues;
  } while (at < joinedFrom + joined.length);
}

/** The sets of parts in the order of `setInParts`, each once. */
export function joinSetParts(parts: readonly SetPart[]): SetPart[] {
  const sets: { type: string; name: string; members: string[][]; joined: string[][] }[] = [];
  for (const { type, name, members, joined } of parts) {
    const last = sets.at(-1);
    if (last?.type === type && last.name === name) {
      last.members.push(members);
      last.joined.push(joined);
    } else sets.push({ type, name, members: [members], joined: [joined] });
  }
  return sets.map(({ members, joined, ...set }) => ({ ...set, members: members.flat(), joined: joined.flat() }));
}
