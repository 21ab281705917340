import { type Lookup, type LookupAnswer, LookupStatus, type ObjectReaderServiceService } from '@cadastre/proto/objects';
import { type RegistryObject, View } from '@cadastre/proto/registry';
import { hasAttribute, type RpslObject } from '@cadastre/rpsl';
import { type Call, type Handlers, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import { authenticates } from '../domain/authenticate.js';
import { loadObjects } from '../store/objects.js';
import type { Source } from '../store/sources.js';
import type { Db, ObjectId, StoredObject } from '../store/stored-object.js';
import { loadKeysOf } from '../write/load-keys.js';
import { withAccountNames } from './account-names.js';
import { resolveContacts } from './contacts.js';
import { principalOf } from './convert-principal.js';
import { parseStored, registryObject } from './registry-object.js';
import { requestedKey } from './requested.js';
import { filterOf, requireView } from './views.js';

const maxLookups = 1000;

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

export function batchLookup(context: Context): Handlers<typeof ObjectReaderServiceService>['batchLookup'] {
  return async ({ lookups }, call) => {
    if (lookups.length > maxLookups) throw new ServiceError('invalid', `At most ${maxLookups} keys in one call`);
    for (const { view } of lookups) requireView(view, call, context.publicCallers);
    const { questions, answers } = understand(context, lookups);
    const stored = await loadObjects(
      context.readPool,
      questions.map(({ id }) => id),
    );
    const found = questions.flatMap((question, index) => {
      const one = stored[index];
      return one === undefined || one.deleted ? [] : [{ ...question, stored: one, object: parseStored(one) }];
    });
    for (const { position, answer } of await answersOf(context, found, call)) answers[position] = answer;
    return { answers };
  };
}

/** The questions that mean something, and answers for all: those of the former are preliminary. */
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

async function answersOf(
  context: Context,
  found: readonly Found[],
  call: Call,
): Promise<{ position: number; answer: LookupAnswer }[]> {
  const withContacts = found.filter(({ lookup }) => lookup.withContacts);
  const resolved = await resolveContacts(
    context.readPool,
    withContacts.map(({ stored, object }) => ({ sourceId: stored.sourceId, object })),
  );
  const contacts = new Map(withContacts.map((one, index) => [one, resolved[index]!]));
  const holders = await findHolders(context.readPool, found);
  const shown = found.map((one) => {
    const filter = filterOf(one.lookup.view, () => holders.has(one));
    return registryObject(one.source, one.stored, filter, { parsed: one.object, contacts: contacts.get(one) });
  });
  const named = await namedForHolders(context, found, holders, shown, call);
  return found.map(({ position }, index) => {
    return { position, answer: { status: LookupStatus.LOOKUP_STATUS_FOUND, object: named[index]! } };
  });
}

/** Holders see accounts by their names. */
async function namedForHolders(
  { accounts }: Context,
  found: readonly Found[],
  holders: ReadonlySet<Found>,
  shown: readonly RegistryObject[],
  call: Call,
): Promise<RegistryObject[]> {
  if (holders.size === 0) return [...shown];
  const held = shown.filter((_, index) => holders.has(found[index]!));
  const named = (await withAccountNames(accounts, held, call)).values();
  return shown.map((object, index) => (holders.has(found[index]!) ? named.next().value! : object));
}

/** Those lookups of mntners and irts whose caller proves to be just that one (decision R3). */
async function findHolders(db: Db, found: readonly Found[]): Promise<ReadonlySet<Found>> {
  const holders = new Set<Found>();
  for (const one of found) {
    const principal = one.lookup.view === View.VIEW_UNFILTERED ? principalOf(one.lookup.principal) : undefined;
    if (principal !== undefined && hasAttribute(one.object, 'auth')) {
      const keys = await loadKeysOf(db, one.stored.sourceId, one.object, principal);
      if (authenticates(one.object, principal, keys)) holders.add(one);
    }
  }
  return holders;
}
