import {
  abuseContactOf,
  abuseRoleReference,
  type Find,
  foldKey,
  type HolderPolicy,
  type Lineage,
  type ObjectName,
  type ObjectTypeName,
  organisationReference,
  type Registered,
  referenceId,
  resourceHolderOf,
} from '@cadastre/rpsl';
import type { IndexedObject, IndexReads, ObjectId } from '../index-port.js';
import { occupiedRange } from '../ranges.js';
import { found, shownOf } from '../run/found.js';
import type { AnnotatedObject, DescribeHolders, HolderAnswer, HolderQuestion } from './ports.js';

/** Maximum characters of the objects that decide about those of a page; geo reads only parts of larger ones. */
const maxCharacters = 256 * 1024;

/**
 * Finds holders and abuse contacts in an index of this process, which has all that decides about them: the networks
 * around an object, their organisations, and the roles of both. `elsewhere` finds those that would read too much.
 */
export function holdersInIndex(index: IndexReads, policy: HolderPolicy, elsewhere: DescribeHolders): DescribeHolders {
  return async (page, question, call) => {
    const deciding = decidingObjects(index, call.signal);
    const lineages: (Lineage | undefined)[] = [];
    for (const one of page) lineages.push(await deciding.lineageOf(one));
    const networks = lineages.flatMap((lineage) => lineage ?? []);
    const organisations = networks.flatMap((one) => organisationReference(one) ?? []);
    let isWhole = await deciding.load(organisations);
    if (isWhole && question.abuseContact) {
      const named = organisations.flatMap((reference) => deciding.find(reference) ?? []);
      isWhole = await deciding.load([...networks, ...named].flatMap((one) => abuseRoleReference(one) ?? []));
    }
    const answers = lineages.map((lineage) =>
      lineage && isWhole ? answerOf(lineage, question, deciding.find, policy) : undefined,
    );
    const left = page.filter((_, at) => answers[at] === undefined);
    if (left.length === 0) return answers;
    const others = (await elsewhere(left, question, call)).values();
    return answers.map((answer) => answer ?? others.next().value);
  };
}

/** Reads objects of the index, each once, up to `maxCharacters`. */
function decidingObjects(index: IndexReads, signal: AbortSignal) {
  const known = new Map<string, Registered>();
  let left = maxCharacters;
  const add = (stored: IndexedObject): Registered | undefined => {
    const { source, type, key } = stored;
    const before = known.get(referenceId({ source, type, key }));
    if (before !== undefined) return before;
    left -= stored.text.length;
    const one = left < 0 ? undefined : found(stored, true);
    if (one === undefined) return undefined;
    const registered = { id: { source, type, key: shownOf(one).key }, object: one.object };
    known.set(referenceId({ source, type, key }), registered);
    return registered;
  };
  const find: Find = (reference) => known.get(referenceId(folded(reference)));
  return {
    find,
    /** The object and the networks around it; undefined if that is too much. */
    async lineageOf({ stored: { source, type, key }, object }: AnnotatedObject): Promise<Lineage | undefined> {
      const enclosing: Registered[] = [];
      const range = type === 'inetnum' || type === 'inet6num' ? occupiedRange(object) : undefined;
      const matches = range && (await index.query(source, [{ kind: 'range', type, range, mode: 'all-less' }], signal));
      for await (const networks of matches?.pages ?? []) {
        for (const network of networks) {
          if (network.key === key) continue;
          const one = add(network);
          if (one === undefined) return undefined;
          enclosing.unshift(one);
        }
      }
      return [{ id: { source, type, key }, object }, ...enclosing];
    },
    /** Reads what the references name; false if that is too much. */
    async load(references: readonly ObjectName[]): Promise<boolean> {
      const missing = references.map(folded).filter((id) => !known.has(referenceId(id)));
      let ids: readonly ObjectId[] = [...new Map(missing.map((id) => [referenceId(id), id])).values()];
      while (ids.length > 0) {
        const { objects, later } = await index.load(ids);
        if (!objects.every(add)) return false;
        ids = later;
      }
      return true;
    },
  };
}

/** A reference as an identity of the index. */
function folded({ source, type, key }: ObjectName): ObjectId {
  const name = type as ObjectTypeName;
  return { source, type: name, key: foldKey(name, key) };
}

function answerOf(
  lineage: Lineage,
  { abuseContact, resourceHolder }: HolderQuestion,
  find: Find,
  policy: HolderPolicy,
): HolderAnswer {
  const contact = abuseContact ? abuseContactOf(lineage, find, policy) : undefined;
  return {
    abuseContact: contact && {
      key: contact.role,
      email: contact.email,
      suspect: contact.suspect,
      orgId: contact.orgId,
    },
    resourceHolder: resourceHolder ? resourceHolderOf(lineage, find, policy) : undefined,
  };
}
