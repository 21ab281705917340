import { type ChangeFeedServiceService, ChangeKind, type ListedChange } from '@cadastre/proto/objects';
import { asciiUpperCase, parseObject, type RpslObject, shownKey, valuesOf } from '@cadastre/rpsl';
import { type Call, duringCall, type Handlers } from '@cadastre/service';
import type { Context } from '../context.js';
import { readChanges, type StoredChange } from '../store/changes.js';
import { operations } from '../store/operations.js';
import { parseStored } from '../store/parse-stored.js';
import { isOfTags, type PreviousState, previousStates } from '../store/previous-states.js';
import type { Source } from '../store/sources.js';
import { isErased } from '../store/stored-object.js';
import { unlessUnreadable } from './registry-object.js';
import { requireSource } from './requested.js';

export function listChanges(context: Context): Handlers<typeof ChangeFeedServiceService>['listChanges'] {
  return async ({ source: name, afterSerial: after }, call) => {
    const source = requireSource(context.sources, name);
    const db = duringCall(context.readPool, call);
    const page = await readChanges(db, source.id, { after, latestOnly: false });
    const { newest } = page;
    if (!page.isComplete) return { changes: [], serial: after, newest, removed: true };
    const previous = await previousStates(db, source.id, page.changes);
    const changes = page.changes.map((change) => listedChange(context, source, change, previous.get(change), call));
    return { changes, serial: page.serial, newest, removed: false };
  };
}

function listedChange(
  context: Context,
  source: Source,
  change: StoredChange,
  before: PreviousState | undefined,
  call: Call,
): ListedChange {
  const { serial, instant, stored } = change;
  const { type, revision } = stored;
  const read = () =>
    unlessUnreadable(context, source, stored, call, () => {
      const object = parseStored(stored);
      return { key: shownKey(object, stored.key), maintainers: maintainersOf(object, before) };
    });
  const about = isErased(stored) ? undefined : read();
  const { key, maintainers } = about ?? { key: stored.key, maintainers: [] };
  const maintainersIncomplete = before !== undefined && before.text === undefined;
  return { serial, kind: kindOf(change, before), type, key, revision, instant, maintainers, maintainersIncomplete };
}

function kindOf(change: StoredChange, before: PreviousState | undefined): ChangeKind {
  if (change.operation === operations.delete) return ChangeKind.CHANGE_KIND_DELETED;
  if (isOfTags(change)) return ChangeKind.CHANGE_KIND_TAGS;
  const isCreation = change.stored.revision === 1 || before?.operation === operations.delete;
  return isCreation ? ChangeKind.CHANGE_KIND_CREATED : ChangeKind.CHANGE_KIND_MODIFIED;
}

function maintainersOf(object: RpslObject, before: PreviousState | undefined): string[] {
  const parsed = before?.operation === operations.update ? parseObject(before.text ?? '') : undefined;
  const states = parsed?.ok ? [object, parsed.object] : [object];
  return [...new Set(states.flatMap((state) => valuesOf(state, 'mnt-by')).map(asciiUpperCase))];
}
