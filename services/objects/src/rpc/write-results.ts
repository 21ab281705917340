import { WriteOutcome, type WriteResult } from '@cadastre/proto/objects';
import type { RegistryObject } from '@cadastre/proto/registry';
import { filterObject, parseReadable, primaryKey, printObject, type RpslObject } from '@cadastre/rpsl';
import { wireMessage } from '@cadastre/service';
import type { Outcome } from '../domain/decide.js';
import type { StoredResult } from '../domain/repeatable.js';
import type { Source } from '../store/sources.js';
import { type Db, isErased } from '../store/stored-object.js';
import { loadRevisions } from '../store/versions.js';
import type { WriteReply } from '../write/reply.js';
import { resolveContacts } from './contacts-and-accounts.js';
import { registryObject } from './registry-object.js';

const outcomes: Record<Outcome, WriteOutcome> = {
  created: WriteOutcome.WRITE_OUTCOME_CREATED,
  modified: WriteOutcome.WRITE_OUTCOME_MODIFIED,
  deleted: WriteOutcome.WRITE_OUTCOME_DELETED,
  unchanged: WriteOutcome.WRITE_OUTCOME_UNCHANGED,
  invalid: WriteOutcome.WRITE_OUTCOME_INVALID,
  unauthorised: WriteOutcome.WRITE_OUTCOME_UNAUTHORISED,
  stale: WriteOutcome.WRITE_OUTCOME_STALE,
  exists: WriteOutcome.WRITE_OUTCOME_EXISTS,
  referenced: WriteOutcome.WRITE_OUTCOME_REFERENCED,
  'not-found': WriteOutcome.WRITE_OUTCOME_NOT_FOUND,
  'day-quota': WriteOutcome.WRITE_OUTCOME_DAY_QUOTA,
  'mntner-quota': WriteOutcome.WRITE_OUTCOME_MNTNER_QUOTA,
  skipped: WriteOutcome.WRITE_OUTCOME_SKIPPED,
};

/** The result of a change, in the form of the contract. */
export function writeResult(source: Source, reply: WriteReply): WriteResult {
  const object = replyObject(source, reply);
  return {
    outcome: outcomes[reply.outcome],
    messages: reply.messages.map(wireMessage),
    serial: reply.serial,
    ...(object && { object }),
  };
}

/** Shows a deleted object filtered (decision W4), any other in full but without `changed`. */
function replyObject(
  source: Source,
  { outcome, stored, contacts = [], submitted }: WriteReply,
): RegistryObject | undefined {
  if (stored !== undefined) {
    const options = outcome === 'deleted' ? {} : { unfiltered: true, showAuth: true };
    return registryObject(source, stored, (object) => filterObject(object, options), { contacts: [...contacts] });
  }
  return submitted && submittedObject(source, submitted);
}

function submittedObject(source: Source, object: RpslObject): RegistryObject {
  const key = primaryKey(object);
  return {
    source: source.name,
    type: object.type,
    key: 'shown' in key ? key.shown : '',
    text: printObject(object),
    revision: 0,
    serial: 0n,
    contacts: [],
    tags: [],
  };
}

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
