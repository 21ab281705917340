import {
  controlCharacters,
  convertObject,
  hasControlCharacter,
  isFiltered,
  type Key,
  type Message,
  messages,
  normalise,
  type ObjectTypeName,
  objectType,
  parseKey,
  primaryKey,
  type RpslObject,
  sortMessages,
  validate,
} from '@cadastre/rpsl';
import { type Preparation, refused, type Submission, type Verb } from './change.js';
import { requestMessages } from './request-messages.js';
import { readSubmitted } from './submitted-object.js';

/**
 * Prepares a change without stored data: checks the reason and that the object matches the path, then its characters,
 * structure and syntax. Returns the normalised object, or all errors together.
 */
export function prepare(submission: Submission): Preparation {
  if (submission.path !== undefined && objectType(submission.path.type) === undefined) {
    return refused([requestMessages.invalidType(submission.path.type)]);
  }
  if (submission.verb === 'delete' && hasControlCharacter(submission.reason)) {
    return refused([requestMessages.controlInReason()]);
  }
  if (submission.verb === 'delete' && submission.path !== undefined && submission.attributes.length === 0) {
    return prepareDeletion(submission.path, submission.reason);
  }
  const reading = readSubmitted(submission.attributes);
  if (!reading.ok) return refused(reading.messages);
  const converted = convertObject(reading.object);
  const normalised = normalise(converted.object);
  const key = primaryKey(normalised.object);
  const mismatch = pathMismatch(submission, reading.object.type, key);
  if (mismatch !== undefined) return refused([mismatch]);
  if (submission.verb === 'delete') return prepareDeletionOf(submission, normalised.object, key);
  const found = [
    ...reading.messages,
    ...controlCharacters(reading.object),
    ...converted.messages,
    ...normalised.messages,
    ...(isFiltered(converted.object) ? [messages.filteredInput()] : []),
    ...validate(normalised.object),
  ];
  return finish(submission.verb, normalised.object, converted.object, key, found);
}

function finish(
  verb: Exclude<Verb, 'delete'>,
  object: RpslObject,
  submitted: RpslObject,
  key: Key | { readonly messages: readonly Message[] },
  found: readonly Message[],
): Preparation {
  const shown = controlCharacters(submitted).length === 0 ? submitted : undefined;
  if (found.some((m) => m.severity === 'error')) {
    const messages = sortMessages(found);
    return shown === undefined
      ? refused(messages)
      : { ok: false, refused: { outcome: 'invalid', messages, submitted: shown, readable: object } };
  }
  if ('messages' in key) return refused(key.messages, shown);
  return { ok: true, prepared: { verb, type: object.type, key, object, submitted, messages: found } };
}

function prepareDeletion(path: { readonly type: string; readonly key?: string }, reason: string): Preparation {
  const type = objectType(path.type)!.name;
  const key = parseKey(type, path.key ?? '');
  return key === undefined
    ? refused([requestMessages.notFound()], undefined, 'not-found')
    : { ok: true, prepared: { verb: 'delete', type, key, reason } };
}

/** Prepares a deletion that brings an object. Without a path the object only names what to delete. */
function prepareDeletionOf(
  { path, reason }: Submission,
  object: RpslObject,
  key: Key | { readonly messages: readonly Message[] },
): Preparation {
  if ('messages' in key) return refused(key.messages);
  if (path !== undefined && isFiltered(object)) return refused([messages.filteredInput()]);
  const expected = path === undefined ? {} : { expected: object };
  return { ok: true, prepared: { verb: 'delete', type: object.type, key, reason, ...expected } };
}

/** The error when the object does not match the path. Any spelling of the key matches. */
function pathMismatch(
  { path }: Submission,
  type: ObjectTypeName,
  key: Key | { readonly messages: readonly Message[] },
): Message | undefined {
  if (path === undefined) return undefined;
  if (objectType(path.type)?.name !== type) {
    return path.key === undefined
      ? requestMessages.typeDiffers(path.type)
      : requestMessages.typeAndKeyDiffer(path.type, path.key);
  }
  if (path.key === undefined || 'messages' in key) return undefined;
  return parseKey(type, path.key)?.folded === key.folded ? undefined : requestMessages.keyDiffers(path.key);
}
