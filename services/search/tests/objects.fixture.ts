import {
  EnclosingScope,
  type Excerpt,
  HierarchyServiceService,
  LookupStatus,
  ObjectReaderServiceService,
  RelatedObjects,
} from '@cadastre/proto/objects';
import type { ObjectKey, RegistryObject } from '@cadastre/proto/registry';
import { contains, parseResource, type Resource, rangeOf, referenceId } from '@cadastre/rpsl';
import { registered } from '@cadastre/rpsl/testing';
import { type Handlers, ServiceError } from '@cadastre/service';
import { inMemoryClient } from '@cadastre/service/testing';
import type { ObjectsClient } from '../src/resources/references.js';

/** The objects service over a list of objects; counts the requests. */
export interface CountedObjects extends ObjectsClient {
  /** The number of resources or keys in each call. */
  readonly requested: { batchFindEnclosing: number[]; batchLookup: number[] };
}

/**
 * Objects from their lines, in the sources TEST and OTHER-GRS. Those with an unreadable key have garbage as text.
 */
export function objectsOf(
  objects: readonly string[][],
  { unreadable = [] }: { readonly unreadable?: readonly string[] } = {},
): CountedObjects {
  const stored = objects.map(storedObject);
  for (const { answer } of stored) if (unreadable.includes(answer.key)) answer.text = 'garbage';
  const requested: CountedObjects['requested'] = { batchFindEnclosing: [], batchLookup: [] };
  const hierarchy = inMemoryClient(HierarchyServiceService, hierarchyOver(stored, requested.batchFindEnclosing));
  const reader = inMemoryClient(ObjectReaderServiceService, readerOver(stored, requested.batchLookup));
  const { batchFindEnclosing } = hierarchy;
  return {
    batchFindEnclosing,
    batchLookup: reader.batchLookup,
    requested,
  };
}

/** Larger texts are missing from the objects that enclose a resource, and from the related ones. */
const largeText = 5000;

interface Stored {
  readonly answer: RegistryObject;
  readonly range: Resource | undefined;
}

function storedObject(lines: string[]): Stored {
  const { id, object } = registered(...lines);
  const answer = { ...id, text: `${lines.join('\n')}\n`, revision: 1, serial: 1n, contacts: [], tags: [] };
  return { answer, range: rangeOf(object) };
}

function hierarchyOver(stored: Stored[], requested: number[]): Handlers<typeof HierarchyServiceService> {
  return {
    batchFindEnclosing: async ({ source, resources, types, scope, shareObjects, excerpt, maxObjects }) => {
      requested.push(resources.length);
      if (!['TEST', 'OTHER-GRS'].includes(source)) throw new ServiceError('invalid', `Invalid source '${source}'`);
      if (!shareObjects || !excerpt) throw new Error('not expected');
      const isNearest = scope === EnclosingScope.ENCLOSING_SCOPE_NEAREST;
      const candidates = stored.filter(({ answer }) => answer.source === source && types.includes(answer.type));
      const found = resources.map((text) => enclosing(candidates, text, isNearest).slice(0, maxObjects));
      const answered = [...new Set(found.flat())].map(withoutLargeText);
      const keys = answered.map(({ key }) => key);
      const answers = found.map((objects) => ({
        objects: [],
        positions: objects.map(({ key }) => keys.indexOf(key)),
        invalid: false,
      }));
      const related = relatedTo(stored, answered, excerpt.related).map(withoutLargeText);
      return { answers, objects: answered.map(excerptBy(excerpt)), related: related.map(excerptBy(excerpt)) };
    },
    listContained: notNeeded,
    describeSpace: notNeeded,
    listOwnSpace: notNeeded,
  };
}

/** Follows "org" and "abuse-c" by the texts, which have one attribute in a line. */
function relatedTo(stored: Stored[], objects: RegistryObject[], related: RelatedObjects): RegistryObject[] {
  const named = (from: RegistryObject[], attribute: string, type: string) => {
    const keys = from.map(
      ({ source, text }) => `${source} ${new RegExp(`^${attribute}: *(.*)$`, 'm').exec(text)?.[1]}`,
    );
    const candidates = stored.map(({ answer }) => answer).filter((answer) => answer.type === type);
    return candidates.filter(({ source, key }) => keys.includes(`${source} ${key}`));
  };
  const organisations = named(objects, 'org', 'organisation');
  if (related === RelatedObjects.RELATED_OBJECTS_ORGANISATIONS) return organisations;
  const readable = organisations.filter((organisation) => withoutLargeText(organisation).text !== '');
  return [...organisations, ...named([...objects, ...readable], 'abuse-c', 'role')];
}

function excerptBy({ attributes }: Excerpt): (object: RegistryObject) => RegistryObject {
  return (object) => {
    const isShown = (line: string, at: number) => at === 0 || line === '' || attributes.includes(line.split(':')[0]!);
    return { ...object, revision: 0, text: object.text.split('\n').filter(isShown).join('\n') };
  };
}

function withoutLargeText(object: RegistryObject): RegistryObject {
  return object.text.length > largeText ? { ...object, revision: 0, text: '' } : object;
}

function enclosing(candidates: Stored[], text: string, isNearest: boolean): RegistryObject[] {
  const resource = parseResource(text);
  if (resource === undefined) return [];
  const found = candidates
    .filter(({ range }) => range !== undefined && encloses(range, resource))
    .toSorted((a, b) => Number(size(a.range!) - size(b.range!)));
  const least = found[0] && size(found[0].range!);
  return found.filter(({ range }) => !isNearest || size(range!) === least).map(({ answer }) => answer);
}

function encloses(outer: Resource, inner: Resource): boolean {
  if ('as' in outer || 'as' in inner) return 'as' in outer && 'as' in inner && contains(outer.as, inner.as);
  return contains(outer, inner);
}

function size(range: Resource): bigint {
  return 'as' in range ? BigInt(range.as.last - range.as.first) : range.last - range.first;
}

function readerOver(stored: Stored[], requested: number[]): Handlers<typeof ObjectReaderServiceService> {
  const byKey = new Map(stored.map(({ answer }) => [referenceId(answer), answer]));
  const answerTo = (key: ObjectKey | undefined) => {
    const object = key && byKey.get(referenceId(key));
    return { status: object ? LookupStatus.LOOKUP_STATUS_FOUND : LookupStatus.LOOKUP_STATUS_NOT_FOUND, object };
  };
  return {
    batchLookup: async ({ lookups }) => {
      requested.push(lookups.length);
      return { answers: lookups.map(({ key }) => answerTo(key)) };
    },
    listSources: async () => ({ sources: [] }),
    findKeyCerts: notNeeded,
    batchLookupPast: notNeeded,
    findPast: notNeeded,
    listVersions: notNeeded,
    getVersion: notNeeded,
    listReferences: notNeeded,
    listOwnMaintainers: notNeeded,
    exportObjects: notNeeded,
  };
}

function notNeeded(): never {
  throw new ServiceError('unimplemented', 'Not needed');
}
