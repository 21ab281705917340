import {
  abuseRoleReference,
  foldKey,
  type HolderPolicy,
  type Lineage,
  type ObjectName,
  type ObjectTypeName,
  organisationReference,
  type Registered,
} from '@cadastre/rpsl';
import type { ClientTurns } from '@cadastre/service';
import { type IndexedObject, type IndexReads, type ObjectId, objectIdText } from '../index-port.js';
import { occupiedRange } from '../ranges.js';
import { found, shownOf } from '../run/found.js';
import {
  type AnnotatedObject,
  type DescribeHolders,
  type HolderAnswer,
  type HolderQuestion,
  holderIn,
  shownHolder,
} from './holders.js';

/**
 * Maximum characters that are read to decide about the objects of a page, besides one page of the index. The
 * objects service finds the rest: it reads only parts of objects.
 */
const maxCharacters = 512 * 1024;

/**
 * Finds holders and abuse contacts in an index of this process, which has all that decides about them: the networks
 * around an object, their organisations, and the roles of both. All for a page are one turn. `elsewhere` finds those
 * that would read too much.
 */
export function holdersInIndex(
  index: Pick<IndexReads, 'query' | 'load'>,
  turns: Pick<ClientTurns, 'read'>,
  policy: HolderPolicy,
  elsewhere: DescribeHolders,
): DescribeHolders {
  return async (page, question, call) => {
    const answers = await turns.read(async () => {
      const deciding = decidingObjects(index, call.signal);
      const all: (HolderAnswer | undefined)[] = [];
      for (const one of page) all.push(await answerFor(one, question, policy, deciding));
      return all;
    });
    const left = page.filter((_, at) => answers[at] === undefined);
    if (left.length === 0) return answers;
    const others = (await elsewhere(left, question, call)).values();
    return answers.map((answer) => answer ?? others.next().value);
  };
}

/**
 * The answer for one object, by itself if possible, else by the network around it, else by all networks around it;
 * undefined if that is too much.
 */
async function answerFor(
  one: AnnotatedObject,
  question: HolderQuestion,
  policy: HolderPolicy,
  deciding: DecidingObjects,
): Promise<HolderAnswer | undefined> {
  const answerIn = async (lineage: Lineage, from: number) =>
    (await deciding.loadNamed(lineage.slice(from)))
      ? shownHolder(holderIn(lineage, deciding.find, question, policy))
      : undefined;
  const self: Registered = { id: one.stored, object: one.object };
  const isWhole = ({ abuseContact, resourceHolder }: HolderAnswer) =>
    (!question.resourceHolder || resourceHolder !== undefined) &&
    (!question.abuseContact ||
      self.id.source !== policy.mainSource ||
      (abuseContact !== undefined && !abuseContact.suspect && abuseContact.orgId !== ''));
  const bySelf = deciding.isFull() ? undefined : await answerIn([self], 0);
  if (bySelf === undefined || isWhole(bySelf)) return bySelf;
  const around = await deciding.around(one);
  if (around === undefined || around.length === 0) return around && bySelf;
  const byNearest = await answerIn([self, around[0]!], 1);
  if (byNearest === undefined || isWhole(byNearest) || around.length === 1) return byNearest;
  return answerIn([self, ...around], 2);
}

type DecidingObjects = ReturnType<typeof decidingObjects>;

/** Reads objects of the index, up to `maxCharacters`. */
function decidingObjects(index: Pick<IndexReads, 'query' | 'load'>, signal: AbortSignal) {
  const known = new Map<string, Registered | undefined>();
  let left = maxCharacters;
  /** Undefined if that is too much. */
  const add = (stored: IndexedObject): Registered | undefined => {
    left -= stored.text.length;
    const before = known.get(objectIdText(stored));
    if (before !== undefined) return before;
    const one = left < 0 ? undefined : found(stored, true);
    if (one === undefined) return undefined;
    const { source, type } = stored;
    const registered: Registered = {
      id: { source, type, key: shownOf(one).key },
      // Parsed when a rule reads it.
      get object() {
        return one.object;
      },
    };
    known.set(objectIdText(stored), registered);
    return registered;
  };
  /** Reads what the references name; false if that is too much. */
  const load = async (references: readonly ObjectName[]): Promise<boolean> => {
    let ids: readonly ObjectId[] = references.map(folded).filter((id) => {
      const isNew = !known.has(objectIdText(id));
      if (isNew) known.set(objectIdText(id), undefined);
      return isNew;
    });
    while (ids.length > 0) {
      const { objects, later } = await index.load(ids);
      if (!objects.every(add)) return false;
      ids = later;
    }
    return true;
  };
  const find = (reference: ObjectName) => known.get(objectIdText(folded(reference)));
  return {
    find,
    isFull: () => left < 0,
    /** The networks around an object, the nearest first; undefined if that is too much. */
    async around({ stored: { source, type, key }, object }: AnnotatedObject): Promise<Registered[] | undefined> {
      const all: Registered[] = [];
      const range = type === 'inetnum' || type === 'inet6num' ? occupiedRange(object) : undefined;
      const matches = range && (await index.query(source, [{ kind: 'range', type, range, mode: 'all-less' }], signal));
      for await (const networks of matches?.pages ?? []) {
        for (const network of networks) {
          if (network.key === key) continue;
          const one = add(network);
          if (one === undefined) return undefined;
          all.unshift(one);
        }
      }
      return all;
    },
    /** Reads the organisations and roles that decide about the contacts of objects; false if that is too much. */
    async loadNamed(objects: readonly Registered[]): Promise<boolean> {
      const organisations = objects.flatMap((one) => organisationReference(one) ?? []);
      const roles = objects.flatMap((one) => abuseRoleReference(one) ?? []);
      if (!(await load([...organisations, ...roles]))) return false;
      return load(organisations.flatMap(find).flatMap((one) => (one && abuseRoleReference(one)) ?? []));
    },
  };
}

/** A reference as an identity of the index. */
function folded({ source, type, key }: ObjectName): ObjectId {
  const name = type as ObjectTypeName;
  return { source, type: name, key: foldKey(name, key) };
}
