import { type Lookup, type LookupAnswer, LookupStatus, type ObjectReaderServiceService } from '@cadastre/proto/objects';
import { type RegistryObject, View } from '@cadastre/proto/registry';
import { hasAttribute, type RpslObject } from '@cadastre/rpsl';
import { type Call, duringCall, type Handlers, isUnavailable, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import { authenticates } from '../domain/authenticate.js';
import { loadWithin } from '../store/objects.js';
import { parseStored } from '../store/parse-stored.js';
import type { Source } from '../store/sources.js';
import type { Db, ObjectId, StoredObject } from '../store/stored-object.js';
import { loadKeysOf } from '../write/load-keys.js';
import { resolveContacts, withAccountNames } from './contacts-and-accounts.js';
import { filterOf, registryObject, requireView, unlessUnreadable } from './registry-object.js';
import { principalOf, requestedKey } from './requested.js';

const maxLookups = 1000;
/** Maximum bytes of text in one response; gRPC clients accept 4 MiB by default. */
const maxTextBytes = 2 * 1024 * 1024;
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

interface Answered {
  readonly position: number;
  readonly answer: LookupAnswer;
}

const unreadable: LookupAnswer = { status: LookupStatus.LOOKUP_STATUS_UNREADABLE };
const askAgain: LookupAnswer = { status: LookupStatus.LOOKUP_STATUS_ASK_AGAIN };

export function batchLookup(context: Context): Handlers<typeof ObjectReaderServiceService>['batchLookup'] {
  return async ({ lookups }, call) => {
    if (lookups.length > maxLookups) throw new ServiceError('invalid', `At most ${maxLookups} keys in one call`);
    for (const { view } of lookups) requireView(view, call, context.publicCallers);
    const { questions, answers } = understand(context, lookups);
    const db = duringCall(context.readPool, call, statementLimitMs);
    const loaded = await loadWithin(
      db,
      questions.map(({ id }) => id),
      maxTextBytes,
    );
    const found: Found[] = [];
    for (const [index, question] of questions.entries()) {
      const stored = loaded[index];
      if (stored === 'later') answers[question.position] = askAgain;
      if (stored === undefined || stored === 'later' || stored.deleted) continue;
      const object = unlessUnreadable(context, question.source, stored, call, () => parseStored(stored));
      if (object === undefined) answers[question.position] = unreadable;
      else found.push({ ...question, stored, object });
    }
    for (const { position, answer } of await answersOf(context, db, found, call)) answers[position] = answer;
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

async function answersOf(context: Context, db: Db, found: readonly Found[], call: Call): Promise<Answered[]> {
  const withContacts = found.filter(({ lookup }) => lookup.withContacts);
  const resolved = await resolveContacts(
    db,
    withContacts.map(({ stored, object }) => ({ sourceId: stored.sourceId, object })),
  );
  const contacts = new Map(withContacts.map((one, index) => [one, resolved[index]!]));
  const holders = await findHolders(db, found, call);
  const shown = found.map((one) => {
    const filter = filterOf(one.lookup.view, () => holders.has(one));
    const how = { parsed: one.object, contacts: contacts.get(one) };
    return unlessUnreadable(context, one.source, one.stored, call, () =>
      registryObject(one.source, one.stored, filter, how),
    );
  });
  const named = await namedForHolders(context, found, holders, shown, call);
  return found.map(({ position }, index) => {
    const object = named[index];
    return { position, answer: object ? { status: LookupStatus.LOOKUP_STATUS_FOUND, object } : unreadable };
  });
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
