import type { EnclosingAnswer } from '@cadastre/proto/objects';
import type { RegistryObject } from '@cadastre/proto/registry';
import type { FindNearestResponse, SearchServiceService } from '@cadastre/proto/search';
import { addressRange, queryMessages, type Range } from '@cadastre/query';
import { isObjectTypeName, type ObjectTypeName, parseResource, rangeOfKey } from '@cadastre/rpsl';
import { type Handlers, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import { type IndexedObject, objectIdText, type SearchIndex } from '../index-port.js';
import { resourceRange } from '../ranges.js';
import { found } from '../run/found.js';
import { unfilteredObject } from './found-objects.js';

const maxResources = 100;
/** Maximum characters of the texts of an answer. */
const maxCharacters = 1024 * 1024;

const notAnswered: FindNearestResponse = { answered: false, answers: [], objects: [] };

/** Finds the nearest objects around resources, if the index of this process is as new as the request demands. */
export function findNearest(context: Context): Handlers<typeof SearchServiceService>['findNearest'] {
  const { index, sources, isCurrent, turns } = context;
  return async ({ resources, types, minSerial }, call) => {
    if (resources.length > maxResources) {
      throw new ServiceError('invalid', `At most ${maxResources} resources in one call`);
    }
    const requested = types.map((type) => {
      if (!isObjectTypeName(type)) throw new ServiceError('invalid', [queryMessages.unknownType(type)]);
      return type;
    });
    return turns.of(call.caller, call.signal).read(async () => {
      if (!(await isCurrent(minSerial))) return notAnswered;
      const objects = sharedObjects();
      const answers: EnclosingAnswer[] = [];
      for (const resource of resources) {
        const parsed = parseResource(resource);
        const range = parsed && resourceRange(parsed);
        const nearest = range ? await nearestOf(index, sources.main, requested, range, call.signal) : [];
        answers.push({
          ...{ objects: [], invalid: range === undefined, positions: nearest.map(objects.positionOf) },
          holding: nearest[0] && (await containsOthers(index, nearest[0], call.signal)),
        });
        if (objects.characters() > maxCharacters) return notAnswered;
      }
      return { answered: true, answers, objects: objects.all };
    });
  };
}

/** Of each type the smallest object that contains a range, and the next one around it. */
async function nearestOf(
  index: Pick<SearchIndex, 'query'>,
  source: string,
  types: readonly ObjectTypeName[],
  range: Range,
  signal: AbortSignal,
): Promise<IndexedObject[]> {
  const nearest: IndexedObject[] = [];
  for (const type of types) {
    const around = async (mode: 'default' | 'one-less', inner: Range) => {
      const matches = await index.query(source, [{ kind: 'range', type, range: inner, mode }], signal);
      for await (const page of matches?.pages ?? []) return page;
      return [];
    };
    // Zones may have the same addresses.
    const [first, second] = await around('default', range);
    if (first === undefined) continue;
    const next = second ?? (await around('one-less', rangeOfObject(first)))[0];
    nearest.push(first, ...(next ? [next] : []));
  }
  return nearest;
}

async function containsOthers(
  index: Pick<SearchIndex, 'spansInside'>,
  object: IndexedObject,
  signal: AbortSignal,
): Promise<boolean> {
  const { source, type } = object;
  const inside = { type, range: rangeOfObject(object), firstLevel: false, max: 1 };
  return ((await index.spansInside(source, inside, signal))?.spans.length ?? 0) > 0;
}

/** The addresses of an object that was found by them. */
function rangeOfObject({ type, key }: IndexedObject): Range {
  return addressRange(rangeOfKey(type, key)!);
}

/** Collects objects, each once. */
function sharedObjects() {
  const all: RegistryObject[] = [];
  const positions = new Map<string, number>();
  let characters = 0;
  return {
    all,
    characters: () => characters,
    positionOf(stored: IndexedObject): number {
      const known = positions.get(objectIdText(stored));
      if (known !== undefined) return known;
      positions.set(objectIdText(stored), all.length);
      characters += stored.text.length;
      return all.push(unfilteredObject(found(stored, false)!)) - 1;
    },
  };
}
