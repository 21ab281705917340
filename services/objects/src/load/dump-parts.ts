import { type DumpEntry, splitDump } from '@cadastre/rpsl';

/** A part of a dump: its objects, in order. */
export type DumpPart = readonly DumpEntry[];

/**
 * A part ends at the first of these limits. Small parts stay in the young generation of the garbage collector: parts of
 * 10,000 objects need 50 % more CPU.
 */
const maxObjects = 2_000;
const maxCharacters = 2_000_000;

/** The parts of a dump: small enough for memory, for a message to a thread and for one transaction. */
export async function* dumpParts(text: AsyncIterable<string>, firstLine: number): AsyncGenerator<DumpPart> {
  let part: DumpEntry[] = [];
  let characters = 0;
  for await (const entry of splitDump(text, { firstLine })) {
    part.push(entry);
    characters += entry.text.length;
    if (part.length >= maxObjects || characters >= maxCharacters) {
      yield part;
      part = [];
      characters = 0;
    }
  }
  if (part.length > 0) yield part;
}
