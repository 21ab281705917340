import { type Lookup, type LookupAnswer, LookupStatus, type ObjectReaderServiceService } from '@cadastre/proto/objects';
import { type Contact, type RegistryObject, View } from '@cadastre/proto/registry';
import { hasAttribute, type RpslObject } from '@cadastre/rpsl';
import { type Call, createSlices, type Handlers, isUnavailable, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import { authenticates } from '../domain/authenticate.js';
import { loadWithin } from '../store/objects.js';
import type { Source } from '../store/sources.js';
import { type Db, type ObjectId, parseStored, type StoredObject } from '../store/stored-object.js';
import { loadKeysOf } from '../write/load-objects.js';
import { resolveContacts, withAccountNames } from './contacts-and-accounts.js';
import { filterOf, registryObject, requireView, unlessUnreadable } from './registry-object.js';
import { principalOf, requestedKey } from './requested.js';

/** Maximum number of keys in one call. */
export const maxLookups = 1000;
/** Maximum bytes of text in one response; gRPC clients accept 4 MiB by default. */
export const maxTextBytes = 2 * 1024 * 1024;
/** Lookups take milliseconds; a database that takes longer than this hangs. */
const statementLimitMs = 2000;

interface Question {
  readonly lookup: Lookup;
  readonly source: Source;
  readonly id: ObjectId;
  readonly position: number;
}

interface Found extends Question {
  readonly stored: StoredObject;
  readonly object: RpslObject;
}

/** The results of a batch from the database. */
interface Read {
  /** Answers to the questions without a readable object, by position. */
  readonly answers: ReadonlyMap<number, LookupAnswer>;
  readonly found: readonly Found[];
  /** In the order of `found`; undefined where not requested. */
  readonly contacts: readonly (Contact[] | undefined)[];
  readonly holders: ReadonlySet<Found>;
}

const unreadable: LookupAnswer = { status: LookupStatus.LOOKUP_STATUS_UNREADABLE };
const askAgain: LookupAnswer = { status: LookupStatus.LOOKUP_STATUS_ASK_AGAIN };

export function batchLookup(context: Context): Handlers<typeof ObjectReaderServiceService>['batchLookup'] {
  return async ({ lookups }, call) => {
    if (lookups.length > maxLookups) throw new ServiceError('invalid', `At most ${maxLookups} keys in one call`);
    for (const { view } of lookups) requireView(view, call, context.publicCallers);
    const { questions, answers } = understand(context, lookups);
    const sources = questions.map(({ id }) => id.sourceId);
    const read = await context.readCurrent({ call, sources, limitMs: statementLimitMs }, (db) =>
      readAll(context, db, questions, call),
    );
    for (const [position, answer] of read.answers) answers[position] = answer;
    const shown = await show(context, read, call);
    for (const [index, { position }] of read.found.entries()) {
      const object = shown[index];
      answers[position] = object ? { status: LookupStatus.LOOKUP_STATUS_FOUND, object } : unreadable;
    }
    return { answers };
  };
}

/** Reads the lookups. Returns the valid ones as questions, and one answer for each lookup: an error, or "not found" for now. */
function understand(context: Context, lookups: readonly Lookup[]): { questions: Question[]; answers: LookupAnswer[] } {
  const questions: Question[] = [];
  const answers = lookups.map((lookup, position): LookupAnswer => {
    const requested = requestedKey(context.sources, lookup.key);
    if (!requested.ok) return { status: requested.status };
    questions.push({ lookup, source: requested.source, id: requested.id, position });
    return { status: LookupStatus.LOOKUP_STATUS_NOT_FOUND };
  });
  return { questions, answers };
}

async function readAll(context: Context, db: Db, questions: readonly Question[], call: Call): Promise<Read> {
  const ids = questions.map(({ id }) => id);
  const loaded = await loadWithin(db, ids, maxTextBytes);
  const answers = new Map<number, LookupAnswer>();
  const found: Found[] = [];
  const slice = createSlices();
  for (const [index, question] of questions.entries()) {
    const stored = loaded[index];
    if (stored === 'later') answers.set(question.position, askAgain);
    if (stored === undefined || stored === 'later' || stored.deleted) continue;
    await slice(stored.text.length);
    const object = unlessUnreadable(context, question.source, stored, call, () => parseStored(stored));
    if (object === undefined) answers.set(question.position, unreadable);
    else found.push({ ...question, stored, object });
  }
  const withContacts = found.filter(({ lookup }) => lookup.withContacts);
  const resolved = (
    await resolveContacts(
      db,
      withContacts.map(({ id, object }) => ({ sourceId: id.sourceId, object })),
    )
  ).values();
  const contacts = found.map(({ lookup }) => (lookup.withContacts ? resolved.next().value : undefined));
  return { answers, found, contacts, holders: await findHolders(db, found, call) };
}

/** The found objects in the form of the contract; undefined for unreadable ones. */
async function show(context: Context, { found, contacts, holders }: Read, call: Call) {
  const shown: (RegistryObject | undefined)[] = [];
  const slice = createSlices();
  for (const [index, one] of found.entries()) {
    const filter = filterOf(one.lookup.view, () => holders.has(one));
    const how = { parsed: one.object, contacts: contacts[index] };
    await slice(one.stored.text.length);
    shown.push(
      unlessUnreadable(context, one.source, one.stored, call, () =>
        registryObject(one.source, one.stored, filter, how),
      ),
    );
  }
  return namedForHolders(context, found, holders, shown, call);
}

/** Replaces account subjects by names for holders. */
async function namedForHolders(
  { accounts }: Context,
  found: readonly Found[],
  holders: ReadonlySet<Found>,
  shown: readonly (RegistryObject | undefined)[],
  call: Call,
): Promise<readonly (RegistryObject | undefined)[]> {
  const isHeld = (object: RegistryObject | undefined, index: number) => object && holders.has(found[index]!);
  const held = shown.filter(isHeld) as RegistryObject[];
  if (held.length === 0) return shown;
  const named = (await withAccountNames(accounts, held, call)).values();
  return shown.map((object, index) => (isHeld(object, index) ? named.next().value : object));
}

/**
 * The lookups of mntners and irts whose caller proves to be that mntner or irt (decision R3). An unreadable key-cert
 * proves nothing.
 */
async function findHolders(db: Db, found: readonly Found[], call: Call): Promise<ReadonlySet<Found>> {
  const holders = new Set<Found>();
  for (const one of found) {
    const principal = one.lookup.view === View.VIEW_UNFILTERED ? principalOf(one.lookup.principal) : undefined;
    if (principal === undefined || !hasAttribute(one.object, 'auth')) continue;
    try {
      const keys = await loadKeysOf(db, one.stored.sourceId, one.object, principal);
      if (authenticates(one.object, principal, keys)) holders.add(one);
    } catch (error) {
      if (error instanceof ServiceError || isUnavailable(error)) throw error;
      const { type, key } = one.stored;
      call.logger.error({ source: one.source.name, type, key, err: error }, 'credentials of object cannot be read');
    }
  }
  return holders;
}
