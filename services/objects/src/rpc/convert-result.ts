import { ChangeAction, type Change as WireChange, WriteOutcome, type WriteResult } from '@cadastre/proto/objects';
import type { RegistryObject } from '@cadastre/proto/registry';
import { filterObject, primaryKey, printObject, type RpslObject } from '@cadastre/rpsl';
import { ServiceError } from '@cadastre/service';
import type { Outcome } from '../domain/decide.js';
import type { Submission, Verb } from '../domain/submission.js';
import type { Source } from '../store/sources.js';
import type { WriteReply } from '../write/reply.js';
import { wireMessage } from './convert-message.js';
import { registryObject } from './registry-object.js';

const outcomes: Record<Outcome, WriteOutcome> = {
  created: WriteOutcome.WRITE_OUTCOME_CREATED,
  modified: WriteOutcome.WRITE_OUTCOME_MODIFIED,
  deleted: WriteOutcome.WRITE_OUTCOME_DELETED,
  unchanged: WriteOutcome.WRITE_OUTCOME_UNCHANGED,
  invalid: WriteOutcome.WRITE_OUTCOME_INVALID,
  unauthorised: WriteOutcome.WRITE_OUTCOME_UNAUTHORISED,
  exists: WriteOutcome.WRITE_OUTCOME_EXISTS,
  referenced: WriteOutcome.WRITE_OUTCOME_REFERENCED,
  'not-found': WriteOutcome.WRITE_OUTCOME_NOT_FOUND,
  skipped: WriteOutcome.WRITE_OUTCOME_SKIPPED,
};

/** What became of a change, as callers get it. */
export function writeResult(source: Source, reply: WriteReply): WriteResult {
  const object = replyObject(source, reply);
  return {
    outcome: outcomes[reply.outcome],
    messages: reply.messages.map(wireMessage),
    serial: reply.serial,
    ...(object && { object }),
  };
}

/** A deleted object is shown filtered (decision W4), any other in full, but without `changed`. */
function replyObject(source: Source, { outcome, stored, submitted }: WriteReply): RegistryObject | undefined {
  if (stored !== undefined) {
    const options = outcome === 'deleted' ? {} : { unfiltered: true, showAuth: true };
    return registryObject(source, stored, (object) => filterObject(object, options));
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

/** One change of a group. */
export function submission({ action, object, reason }: WireChange): Submission {
  return { verb: verb(action), attributes: object?.attributes ?? [], reason };
}

function verb(action: ChangeAction): Verb {
  switch (action) {
    case ChangeAction.CHANGE_ACTION_CREATE:
      return 'create';
    case ChangeAction.CHANGE_ACTION_UPDATE:
      return 'update';
    case ChangeAction.CHANGE_ACTION_DELETE:
      return 'delete';
    default:
      throw new ServiceError('invalid', 'A change must say whether it creates, updates or deletes');
  }
}
