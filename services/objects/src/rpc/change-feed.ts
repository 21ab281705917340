import {
  type ChangeEntry,
  type ChangeFeedServiceService,
  ChangeKind,
  type ListedChange,
  type WatchRequest,
} from '@cadastre/proto/objects';
import { type RegistryObject, View } from '@cadastre/proto/registry';
import {
  asciiUpperCase,
  firstValueOf,
  parseObject,
  publicCopy,
  type RpslObject,
  shownKey,
  valuesOf,
} from '@cadastre/rpsl';
import { type Call, duringCall, type Handlers, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import {
  type ChangePage,
  farBehind,
  isOfTags,
  type PreviousState,
  previousStates,
  readChanges,
  type StoredChange,
} from '../store/changes.js';
import { operations } from '../store/codes.js';
import { createRecentChanges, pollMs, type RecentChanges } from '../store/recent-changes.js';
import { currentSerial, instantOf } from '../store/serials.js';
import type { Source } from '../store/sources.js';
import { type Db, isErased, parseStored, type StoredObject } from '../store/stored-object.js';
import { trimmedSerial } from '../store/trimmed-changes.js';
import { withoutText } from './excerpts.js';
import { registryObject, requireView, unlessUnreadable } from './registry-object.js';
import { requireSource } from './requested.js';

/** The contract promises a message at least every ten seconds. */
const heartbeatMs = 5000;

export function watch(context: Context): Handlers<typeof ChangeFeedServiceService>['watch'] {
  const recent = new Map(
    context.sources.all.map(({ id }) => [id, createRecentChanges(context.readPool, context.changes, id)]),
  );
  const entries = {
    complete: new WeakMap<StoredChange, ChangeEntry>(),
    public: new WeakMap<StoredChange, ChangeEntry>(),
  };
  return async function* (request, call) {
    const source = requireSource(context.sources, request.source);
    const form = request.publicCopies === true ? 'public' : 'complete';
    if (form === 'complete' && !request.keysOnly) requireView(View.VIEW_COMPLETE, call, context.publicCallers);
    const interruptions = context.changes.interruptions();
    const newest = await currentSerial(duringCall(context.readPool, call), source.id);
    if (!request.fromNow && request.afterSerial > newest) {
      throw lostPlace(context, source, request.afterSerial, call, `The newest serial is ${newest}`);
    }
    if (!request.fromNow && request.afterInstant !== undefined) {
      const instant = await instantOf(duringCall(context.readPool, call), source.id, request.afterSerial);
      if (instant !== undefined && instant.getTime() !== request.afterInstant.getTime()) {
        throw new ServiceError('out-of-range', 'The registry was restored to a state before this serial');
      }
    }
    /** The entry of a change that several readers get, made once. */
    const entryOf = (change: StoredChange) => {
      const entry = entries[form].get(change) ?? changeEntry(context, source, change, form, call);
      entries[form].set(change, entry);
      return entry;
    };
    const feed = recent.get(source.id)!;
    const leave = feed.join(newest);
    try {
      if (request.fromNow) yield { changes: [], serial: newest };
      const start = { after: request.fromNow ? newest : request.afterSerial, interruptions };
      for await (const page of follow(context, source, feed, request, start, call)) {
        const changes = page.changes.map(entryOf);
        const { serial, skipped } = page;
        yield { changes: request.keysOnly ? changes.map(keysOnly) : changes, serial, skipped };
      }
    } finally {
      leave();
    }
  };
}

/** A page for one reader. */
interface ReaderPage extends ChangePage {
  /** Whether changes before its serial were omitted. */
  readonly skipped?: true;
}

/** Where a stream begins. */
interface Start {
  readonly after: bigint;
  /** Read from the change signal before the first page. */
  readonly interruptions: number;
}

/**
 * All changes, then a page for each further one or as a heartbeat, until the caller closes the stream. It ends with an
 * error when the connection to the database is lost: the next stream finds out whether the registry still has the sent
 * changes.
 */
async function* follow(
  context: Context,
  source: Source,
  feed: RecentChanges,
  { latestOnly, maySkip }: WatchRequest,
  { after: first, interruptions }: Start,
  call: Call,
): AsyncGenerator<ReaderPage> {
  const db = duringCall(context.readPool, call);
  let after = first;
  let sentAt = Date.now();
  while (!call.signal.aborted) {
    if (context.changes.stopped()) throw new ServiceError('unavailable', 'The service is stopping');
    const part = { after, latestOnly, maySkip };
    const page: ReaderPage = await (feed.after(after, call.signal) ?? readPage(context, db, source, part, call));
    if (context.changes.interruptions() !== interruptions) {
      throw new ServiceError('unavailable', 'The connection to the database was lost');
    }
    const isNews = page.serial > after;
    after = page.serial;
    if (isNews || (!call.signal.aborted && Date.now() - sentAt >= heartbeatMs)) {
      yield latestOnly ? { ...page, changes: newestOfEach(page.changes) } : page;
      sentAt = Date.now();
    }
  }
}

/** Reads a page for one reader, because it is behind the others. Throws when changes that it needs were removed. */
async function readPage(
  context: Context,
  db: Db,
  source: Source,
  part: { readonly after: bigint; readonly latestOnly: boolean; readonly maySkip?: boolean },
  call: Call,
): Promise<ReaderPage> {
  const { changes } = context;
  const { id } = source;
  const seen = changes.generation(id);
  const page = await readChanges(db, id, part);
  if (part.maySkip && page.newest - part.after > farBehind) return { changes: [], serial: page.newest, skipped: true };
  if (!page.isComplete) {
    const oldest = (await trimmedSerial(db, id)) + 1n;
    const why = `The oldest change has the serial ${oldest}: start from an export`;
    throw lostPlace(context, source, part.after, call, why);
  }
  if (page.serial === part.after) await changes.wait(id, seen, pollMs, call.signal);
  return page;
}

/** The error for a follower that cannot resume; logs which one it is. */
function lostPlace(context: Context, { name }: Source, after: bigint, call: Call, why: string): ServiceError {
  call.logger.warn(
    { source: name, caller: call.caller, serial: String(after), reason: why },
    'follower lost its place',
  );
  context.countLostFollower(name, call.caller);
  return new ServiceError('out-of-range', why);
}

/** Without changes of objects that the same page changes again. */
function newestOfEach(changes: readonly StoredChange[]): StoredChange[] {
  const newest = new Map(changes.map((change) => [`${change.stored.type} ${change.stored.key}`, change]));
  return changes.filter((change) => newest.get(`${change.stored.type} ${change.stored.key}`) === change);
}

function changeEntry(
  context: Context,
  source: Source,
  change: StoredChange,
  form: 'complete' | 'public',
  call: Call,
): ChangeEntry {
  const { serial, operation, instant, stored } = change;
  const read = form === 'public' ? () => publicObject(context, source, stored) : () => registryObject(source, stored);
  const object = isErased(stored) ? undefined : unlessUnreadable(context, source, stored, call, read);
  return { serial, operation, instant, object: object ?? withoutText(source, stored) };
}

/** The copy for third parties; undefined when they do not get the object. */
function publicObject({ publicTexts }: Context, source: Source, stored: StoredObject): RegistryObject | undefined {
  const parsed = parseStored(stored);
  // The non-authoritative part of a source has its own name.
  const part = firstValueOf(parsed, 'source')?.toUpperCase() ?? '';
  const copy = publicCopy(parsed, publicTexts.get(part));
  return copy && registryObject(source, stored, () => copy, { parsed });
}

function keysOnly(entry: ChangeEntry): ChangeEntry {
  return { ...entry, object: entry.object && { ...entry.object, text: '' } };
}

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
