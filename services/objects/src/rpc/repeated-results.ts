import type { WriteResult } from '@cadastre/proto/objects';
import type { StoredResult } from '../domain/repeatable.js';
import { parseReadable } from '../store/parse-stored.js';
import type { Source } from '../store/sources.js';
import { type Db, isErased } from '../store/stored-object.js';
import { loadRevisions } from '../store/versions.js';
import { resolveContacts } from './contacts-and-accounts.js';
import { writeResult } from './write-results.js';

/** The results of an earlier write, made again from the versions that it stored. */
export async function repeatedResults(db: Db, source: Source, cached: readonly StoredResult[]): Promise<WriteResult[]> {
  const states = (await loadRevisions(db, source.id, cached)).map((state) =>
    state && !isErased(state) ? state : undefined,
  );
  const parsed = states.map((state) => (state && parseReadable(state.text)) ?? { attributes: [] });
  const contacts = await resolveContacts(
    db,
    parsed.map((object) => ({ sourceId: source.id, object })),
  );
  return cached.map(({ outcome, messages }, at) => {
    const stored = states[at];
    const serial = outcome === 'unchanged' ? 0n : (stored?.serial ?? 0n);
    return writeResult(source, { outcome, messages, serial, ...(stored && { stored, contacts: contacts[at]! }) });
  });
}
