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

/** Number of entries read before other work gets a turn. */
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
    const payload = isRecord(entry) ? readPayload(entry) : undefined;
    if (payload === undefined) skipped++;
    else if (trustAnchors.size > 0 && !trustAnchors.has(anchorOf(entry))) foreign++;
    else builder.add(payload);
  }
  return { index: builder.build(), skipped, foreign };
}

function entriesOf(document: unknown): readonly unknown[] {
  if (isRecord(document) && Array.isArray(document.roas)) return document.roas;
  throw new SyntaxError('There is no list "roas"');
}

function anchorOf(entry: unknown): string {
  return isRecord(entry) && typeof entry.ta === 'string' ? entry.ta.toLowerCase() : '';
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
