import { setImmediate as nextTurn } from 'node:timers/promises';
import { readPayload } from './payload.js';
import { type RoaIndex, roaIndexBuilder } from './roa-index.js';

/** The content of an export. */
export interface RoaExport {
  readonly index: RoaIndex;
  /** Number of invalid entries. */
  readonly skipped: number;
  /** Number of entries of other trust anchors. */
  readonly foreign: number;
}

/** The export in use, and when it was made. */
export type KnownExport = RoaExport & { readonly made: Date };

/** Number of entries to read before other work gets a turn. */
const entriesPerTurn = 10_000;

/**
 * Reads the JSON that Routinator and rpki-client export: `{"roas":[{"asn","prefix","maxLength","ta"}, ...]}`, AS
 * numbers as texts or numbers; ignores other members. Keeps payloads of these trust anchors (lower case), or all if
 * none is given. Errors: SyntaxError when the text has another form.
 */
export async function readExport(text: string, trustAnchors: ReadonlySet<string>): Promise<RoaExport> {
  const entries = entriesOf(JSON.parse(text));
  const builder = roaIndexBuilder(entries.length);
  let skipped = 0;
  let foreign = 0;
  for (const [n, entry] of entries.entries()) {
    if (n % entriesPerTurn === 0) await nextTurn();
    const members: Members = Object(entry);
    const payload = readPayload(members);
    if (payload === undefined) skipped++;
    else if (trustAnchors.size > 0 && !trustAnchors.has(anchorOf(members))) foreign++;
    else builder.add({ ...payload, anchor: typeof members.ta === 'string' ? members.ta : undefined });
  }
  return { index: builder.build(), skipped, foreign };
}

function entriesOf(document: unknown): readonly unknown[] {
  const { roas }: Members = Object(document);
  if (Array.isArray(roas)) return roas;
  throw new SyntaxError('There is no list "roas"');
}

function anchorOf({ ta }: Members): string {
  return typeof ta === 'string' ? ta.toLowerCase() : '';
}

/** The members of an object; none for any other value. */
type Members = Readonly<Record<string, unknown>>;
