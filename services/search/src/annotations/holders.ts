import type { AbuseContactServiceService, HolderDescription } from '@cadastre/proto/geo';
import type { AbuseContact, ResourceHolder } from '@cadastre/proto/search';
import { asciiLowerCase, type ObjectTypeName, type RpslObject, valuesOf } from '@cadastre/rpsl';
import type { Call, RpcClient } from '@cadastre/service';
import { LRUCache } from 'lru-cache';
import type { IndexReads, ObjectId } from '../index-port.js';
import { occupiedRange } from '../ranges.js';

/** An object to annotate; its key is folded. */
export interface AnnotatedObject {
  readonly stored: ObjectId;
  readonly object: RpslObject;
}

/** The requested annotations about the holder. */
interface HolderQuestion {
  readonly resourceHolder: boolean;
  readonly abuseContact: boolean;
}

/** The holder and the abuse contact of an object. */
export interface HolderAnswer {
  readonly resourceHolder?: ResourceHolder | undefined;
  readonly abuseContact?: AbuseContact | undefined;
}

/** Finds holders and abuse contacts of at most 1,000 objects, in their order. */
export type DescribeHolders = (
  ids: readonly ObjectId[],
  question: HolderQuestion,
  call: Pick<Call, 'signal' | 'deadline' | 'requestId'>,
) => Promise<readonly HolderAnswer[]>;

/** Gets holders and abuse contacts from the geo service. */
export function holdersFrom(
  geo: Pick<RpcClient<typeof AbuseContactServiceService>, 'describeHolders'>,
): DescribeHolders {
  return async (ids, question, { signal }) => {
    const { descriptions } = await geo.describeHolders(
      {
        keys: ids.map(({ source, type, key }) => ({ source, type, key })),
        abuseContacts: question.abuseContact,
        resourceHolders: question.resourceHolder,
      },
      { signal },
    );
    return descriptions.map((one) => answerTo(question, one));
  };
}

function answerTo(question: HolderQuestion, { abuseContact, holderKey, holderName }: HolderDescription): HolderAnswer {
  const contact = question.abuseContact ? abuseContact : undefined;
  return {
    abuseContact: contact && {
      key: contact.role,
      email: contact.email,
      suspect: contact.suspect,
      orgId: contact.orgId,
    },
    resourceHolder: question.resourceHolder && holderKey !== '' ? { key: holderKey, name: holderName } : undefined,
  };
}

/**
 * The holders and abuse contacts that geo has found. Objects with the same parent and the same attributes have the same
 * ones, so geo is asked once for all that are alike, until an object changes on which any of them depends (ADR 0027).
 */
export type KnownHolders = ReturnType<typeof createKnownHolders>;

/** Finds holders and abuse contacts of objects of the index, in their order. */
export type DescribeFound = (
  page: readonly AnnotatedObject[],
  question: HolderQuestion,
  call: Parameters<DescribeHolders>[2],
) => Promise<readonly (HolderAnswer | undefined)[]>;

/** The attributes of an object that the rules of geo read, besides those of what it refers to. */
const ownAttributes = ['abuse-c', 'org', 'sponsoring-org', 'mnt-by', 'mnt-lower'];

/** The types whose objects decide about others. */
const decidingTypes: readonly ObjectTypeName[] = ['inetnum', 'inet6num', 'organisation', 'role'];

/** Approximate bytes of an entry besides its texts. */
const entryOverhead = 400;

/** Keeps at most `bytes`; of an object with very many mntners nothing. */
export function createKnownHolders(bytes: number) {
  const known = new LRUCache<string, HolderAnswer>({
    maxSize: bytes,
    maxEntrySize: Math.floor(bytes / 100),
    sizeCalculation: (answer, kind) => entryOverhead + 2 * (kind.length + charactersOf(answer)),
  });
  let changes = 0;
  return {
    /** The view of a call, which must not have read its objects yet. */
    of(index: Pick<IndexReads, 'query'>, describe: DescribeHolders): DescribeFound {
      const before = changes;
      return async (page, question, call) => {
        const kinds = await Promise.all(page.map((one) => kindOf(one, question, index, call.signal)));
        const answers = new Map(kinds.map((kind) => [kind, known.get(kind)]));
        const unknown = [...answers].flatMap(([kind, answer]) => (answer === undefined ? [kind] : []));
        if (unknown.length > 0) {
          const requested = unknown.map((kind) => page[kinds.indexOf(kind)]!.stored);
          const found = await describe(requested, question, call);
          for (const [at, answer] of found.entries()) {
            answers.set(unknown[at]!, answer);
            if (changes === before) known.set(unknown[at]!, answer);
          }
        }
        return kinds.map((kind) => answers.get(kind));
      };
    },
    /** Objects of these types change in the index, or have changed; without types, any objects. */
    changed(types?: readonly ObjectTypeName[]): void {
      if (types !== undefined && !types.some((type) => decidingTypes.includes(type))) return;
      changes++;
      known.clear();
    },
  };
}

function charactersOf({ resourceHolder, abuseContact }: HolderAnswer): number {
  return (resourceHolder?.name.length ?? 0) + (abuseContact?.email.length ?? 0);
}

/** What objects have in common whose holder and contact are the same. */
async function kindOf(
  { stored: { source, type, key }, object }: AnnotatedObject,
  { resourceHolder, abuseContact }: HolderQuestion,
  index: Pick<IndexReads, 'query'>,
  signal: AbortSignal,
): Promise<string> {
  const isNetwork = type === 'inetnum' || type === 'inet6num';
  const group = isNetwork ? await parentOf({ source, type }, object, index, signal) : type === 'aut-num' ? '' : key;
  const values = ownAttributes.map((name) => valuesOf(object, name).map(asciiLowerCase));
  return JSON.stringify([resourceHolder, abuseContact, source, type, group, values]);
}

/** The key of the nearest larger network. */
async function parentOf(
  { source, type }: Pick<AnnotatedObject['stored'], 'source' | 'type'>,
  object: AnnotatedObject['object'],
  index: Pick<IndexReads, 'query'>,
  signal: AbortSignal,
): Promise<string> {
  const range = occupiedRange(object);
  if (range === undefined) return '';
  const matches = await index.query(source, [{ kind: 'range', type, range, mode: 'one-less' }], signal);
  for await (const [parent] of matches?.pages ?? []) if (parent) return parent.key;
  return '';
}
