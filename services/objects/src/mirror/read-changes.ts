import type { MirrorChange } from '@cadastre/proto/objects';
import {
  type DumpEntry,
  DumpSplitter,
  type ObjectTypeName,
  objectType,
  parseForeignKey,
  withArticle,
} from '@cadastre/rpsl';
import { ServiceError } from '@cadastre/service';
import { inOrder } from '../load/in-order.js';
import type { Rejection } from '../load/read-object.js';
import type { ReadPart, ReadSettings } from '../load/read-part.js';
import { type LoadReaders, partsInWork } from '../load/read-parts.js';

/** A part of the changes of another registry, in a form that can be stored. */
export interface ReadChanges {
  /** New states. Lines are positions among all changes. */
  readonly puts: ReadPart;
  readonly deletions: readonly Deletion[];
  /** Changes that cannot be read, in the order of their positions (`line`). */
  readonly rejections: readonly Rejection[];
}

/** The deletion of an object, which need not exist. */
export interface Deletion {
  /** Its position among all changes. */
  readonly place: number;
  readonly type: ObjectTypeName;
  /** Folded primary key. */
  readonly key: string;
}

/** The bounds of one call: all of its changes are in memory for one transaction. */
const maxChanges = 200_000;
const maxBytes = 64 * 1024 * 1024;

/** A part ends at the first of these limits, as a part of a dump does (`dumpParts`). */
const maxPart = { changes: 2_000, characters: 2_000_000 };

/**
 * Reads changes on the threads for dumps. Errors: ServiceError 'out-of-range' for more than a call may have; 'invalid'
 * for an empty change.
 */
export function readChanges(
  changes: AsyncIterable<MirrorChange>,
  readers: LoadReaders,
  settings: ReadSettings,
): AsyncGenerator<ReadChanges> {
  return inOrder(changeParts(changes), partsInWork, async ({ entries, deletions, rejections }) => {
    const puts = await readers.run('readPart', entries, settings);
    const all = [...rejections, ...puts.rejections].sort((a, b) => a.line - b.line);
    return { puts, deletions, rejections: all };
  });
}

interface ChangePart {
  readonly entries: DumpEntry[];
  readonly deletions: Deletion[];
  readonly rejections: Rejection[];
}

const emptyPart = (): ChangePart => ({ entries: [], deletions: [], rejections: [] });

async function* changeParts(changes: AsyncIterable<MirrorChange>): AsyncGenerator<ChangePart> {
  let part = emptyPart();
  let [place, bytes, from, characters] = [0, 0, 0, 0];
  for await (const { change } of changes) {
    if (change === undefined) throw new ServiceError('invalid', 'A change is neither an object nor a deletion');
    const text = change.$case === 'put' ? change.value : `${change.value.type} ${change.value.primaryKey}`;
    bytes += Buffer.byteLength(text);
    if (place >= maxChanges || bytes > maxBytes) {
      throw new ServiceError('out-of-range', `More than ${maxChanges} changes, or than ${maxBytes} bytes of text`);
    }
    if (change.$case === 'put') addPut(part, text, place);
    else addDeletion(part, change.value, place);
    place++;
    characters += text.length;
    if (place - from < maxPart.changes && characters < maxPart.characters) continue;
    yield part;
    part = emptyPart();
    from = place;
    characters = 0;
  }
  if (place > from) yield part;
}

/** A text with an empty line in it would be two objects, and the second would have no name. */
function addPut({ entries, rejections }: ChangePart, text: string, place: number): void {
  const splitter = new DumpSplitter();
  const found = [...splitter.push(text), ...splitter.end()];
  if (found.length === 1) entries.push({ ...found[0]!, line: place, end: place });
  else rejections.push({ line: place, name: shortened(text), reasons: [`The text has ${found.length} objects`] });
}

function addDeletion(
  { deletions, rejections }: ChangePart,
  { type, primaryKey }: { readonly type: string; readonly primaryKey: string },
  place: number,
): void {
  const known = objectType(type)?.name;
  const key = known && parseForeignKey(known, primaryKey);
  if (known !== undefined && key !== undefined) {
    deletions.push({ place, type: known, key: key.folded });
    return;
  }
  const reason = known === undefined ? 'Unknown object type' : `Not the key of ${withArticle(known)}`;
  rejections.push({ line: place, name: shortened(`${type} ${primaryKey}`), reasons: [reason] });
}

function shortened(text: string): string {
  return text.trim().split('\n', 1)[0]!.slice(0, 80);
}
