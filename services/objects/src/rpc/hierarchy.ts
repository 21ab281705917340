import { ContainedScope, type HierarchyServiceService, EnclosingScope as ProtoScope } from '@cadastre/proto/objects';
import { type RegistryObject, View } from '@cadastre/proto/registry';
import { filterVersion, type ObjectTypeName, parseResource, type RpslObject } from '@cadastre/rpsl';
import { failureMessage, type Handlers, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import { containedPages } from '../store/contained-pages.js';
import { loadEnclosingPast } from '../store/former-spans.js';
import { type EnclosingObjects, type EnclosingScope, loadEnclosing } from '../store/hierarchy.js';
import { loadInParts, smallBytes } from '../store/objects.js';
import type { Source } from '../store/sources.js';
import { type Db, type ObjectId, pageLimits, parseStored, type StoredObject } from '../store/stored-object.js';
import { excerptOf, loadRelated, type ReadObject, withoutText } from './excerpts.js';
import { requireRanges } from './moments.js';
import { filterOf, readableObjects, registryObject, requireView, unlessUnreadable } from './registry-object.js';
import { requireSource, requireType } from './requested.js';

const maxResources = 1000;
/** Beyond this many bytes the response omits the texts of further objects. */
const maxTextBytes = 2 * 1024 * 1024;
/** Limit for answers without shared objects; a message may have 64 MiB. */
const maxMessageBytes = 48 * 1024 * 1024;
const defaultTypes: readonly ObjectTypeName[] = ['inetnum', 'inet6num', 'aut-num'];

export function batchFindEnclosing(context: Context): Handlers<typeof HierarchyServiceService>['batchFindEnclosing'] {
  return async (request, call) => {
    const source = requireSource(context.sources, request.source);
    const types = [...new Set(request.types.map(requireType))];
    requireView(request.view, call, context.publicCallers);
    if (request.resources.length > maxResources) {
      throw new ServiceError('invalid', `At most ${maxResources} resources in one call`);
    }
    const resources = request.resources.map(parseResource);
    const { asOf, excerpt, maxObjects, reportHolding } = request;
    if (asOf && excerpt) throw new ServiceError('invalid', 'There are no excerpts of the past');
    const filter = asOf && request.view !== View.VIEW_COMPLETE ? filterVersion : filterOf(request.view);
    const attributes = new Set(excerpt?.attributes);
    const read = (stored: StoredObject): ReadObject | undefined =>
      unlessUnreadable(context, source, stored, call, () => {
        const parsed = parseStored(stored);
        const shown = excerpt
          ? excerptOf(source, stored, filter(parsed, stored), attributes)
          : registryObject(source, stored, filter, { parsed });
        return { shown, parsed };
      });
    const query = {
      types: types.length > 0 ? types : defaultTypes,
      resources: resources.filter((resource) => resource !== undefined),
      scope: scopeOf(request.scope),
    };
    const { objects, answers, holding, related, serial } = await context.readCurrent(
      { call, sources: [source.id] },
      async (db) => {
        if (asOf) {
          const serial = await requireRanges(db, source, asOf, context.clock());
          const past = await loadEnclosingPast(db, source.id, { ...query, serial, bytes: maxTextBytes });
          return { ...readable(source, past, read), related: [], serial };
        }
        const bounds = { each: smallBytes, together: pageLimits.bytes };
        const found = await loadEnclosing(db, source.id, {
          ...query,
          limit: maxObjects,
          reportsHolding: reportHolding ?? false,
          bounds,
        });
        const enclosing = { ...found, objects: await withLargeTexts(db, found.objects) };
        const { parsed, ...shared } = readable(source, enclosing, read);
        const related = excerpt ? await loadRelated(db, source, parsed, excerpt.related, read) : [];
        return { ...shared, related, serial: undefined };
      },
    );
    const shown = request.shareObjects
      ? answers.map((positions) => ({ objects: [], positions }))
      : withOwnObjects(objects, answers);
    let next = 0;
    return {
      answers: resources.map((resource) =>
        resource === undefined
          ? { objects: [], positions: [], invalid: true }
          : { ...shown[next]!, holding: holding[next++], invalid: false },
      ),
      objects: request.shareObjects ? objects : [],
      related,
      serial,
    };
  };
}

/** Adds texts that `loadEnclosing` omitted, up to `maxTextBytes` together. */
async function withLargeTexts(db: Db, objects: EnclosingObjects['objects']): Promise<EnclosingObjects['objects']> {
  const left = objects.filter((one) => !('text' in one));
  if (left.length === 0) return objects;
  let bytes = objects.reduce((sum, one) => sum + ('text' in one ? one.text.length : 0), 0);
  const loaded = new Map<string, StoredObject>();
  for await (const stored of loadInParts(db, left)) {
    loaded.set(idText(stored), stored);
    bytes += stored.text.length;
    if (bytes >= maxTextBytes) break;
  }
  return objects.map((one) => loaded.get(idText(one)) ?? one);
}

function idText({ type, key }: ObjectId): string {
  return `${type} ${key}`;
}

interface Shared {
  readonly objects: RegistryObject[];
  /** Those with text. */
  readonly parsed: RpslObject[];
  /** For each resource the positions of its objects in `objects`. */
  readonly answers: number[][];
  /** For each resource whether the first of its objects contains others of its type; undefined if not requested. */
  readonly holding: (boolean | undefined)[];
}

/** The objects as the contract has them, without unreadable ones. */
function readable(
  source: Source,
  { objects: found, answers, holding }: EnclosingObjects,
  read: (stored: StoredObject) => ReadObject | undefined,
): Shared {
  const objects: RegistryObject[] = [];
  const parsed: RpslObject[] = [];
  const positions = found.map((one) => {
    if (!('text' in one)) return objects.push(withoutText(source, one)) - 1;
    const object = one.deleted ? undefined : read(one);
    if (object === undefined) return undefined;
    parsed.push(object.parsed);
    return objects.push(object.shown) - 1;
  });
  return {
    objects,
    parsed,
    answers: answers.map((own) => own.map((at) => positions[at]).filter((position) => position !== undefined)),
    holding: answers.map(([first], at) => holding && first !== undefined && holding[at]!.includes(first)),
  };
}

/** The answers for callers without share_objects, whose repeated objects may exceed a message. */
function withOwnObjects(objects: readonly RegistryObject[], answers: readonly (readonly number[])[]) {
  let bytes = 0;
  return answers.map((positions) => {
    const own = positions.map((position) => objects[position]!);
    for (const { text } of own) bytes += text === '' ? Number.POSITIVE_INFINITY : text.length;
    if (bytes > maxMessageBytes) throw new ServiceError('exhausted', 'Too many large objects: use share_objects');
    return { objects: own, positions: [] };
  });
}

function scopeOf(scope: ProtoScope): EnclosingScope {
  switch (scope) {
    case ProtoScope.ENCLOSING_SCOPE_EXACT:
      return 'exact';
    case ProtoScope.ENCLOSING_SCOPE_PARENT:
      return 'parent';
    case ProtoScope.ENCLOSING_SCOPE_ALL:
      return 'all';
    default:
      return 'nearest';
  }
}

export function listContained(context: Context): Handlers<typeof HierarchyServiceService>['listContained'] {
  return async function* (request, call) {
    const source = requireSource(context.sources, request.source);
    const type = requireType(request.type);
    requireView(request.view, call, context.publicCallers);
    const resource = parseResource(request.resource);
    if (resource === undefined) {
      throw new ServiceError('invalid', [
        failureMessage('"%s" is not an address range or AS range', [request.resource]),
      ]);
    }
    const filter = filterOf(request.view);
    const scope = request.scope === ContainedScope.CONTAINED_SCOPE_ALL ? 'all' : 'children';
    let left = request.limit === 0 ? Number.POSITIVE_INFINITY : request.limit;
    for await (const page of containedPages(context.readPool, source.id, type, resource, scope, call.signal)) {
      if (call.signal.aborted) return;
      yield { objects: readableObjects(context, source, page.slice(0, left), call, filter) };
      left -= page.length;
      if (left <= 0) return;
    }
  };
}
