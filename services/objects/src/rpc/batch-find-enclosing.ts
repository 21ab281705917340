import { type HierarchyServiceService, EnclosingScope as ProtoScope } from '@cadastre/proto/objects';
import type { RegistryObject } from '@cadastre/proto/registry';
import { type ObjectTypeName, parseResource } from '@cadastre/rpsl';
import { type Call, duringCall, type Handlers, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import { type EnclosingScope, findEnclosingIds } from '../store/hierarchy.js';
import { loadInParts } from '../store/objects.js';
import type { Source } from '../store/sources.js';
import type { Db, ObjectId } from '../store/stored-object.js';
import { type Filter, filterOf, readableObjects, requireView } from './registry-object.js';
import { requireSource, requireType } from './requested.js';

const maxResources = 1000;
/** Past this much text the response omits the texts of further objects. */
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
    const db = duringCall(context.readPool, call);
    const found = await findEnclosingIds(
      db,
      source.id,
      types.length > 0 ? types : defaultTypes,
      resources.filter((resource) => resource !== undefined),
      scopeOf(request.scope),
    );
    const { objects, positions } = await loadShared(context, db, source, found, call, filterOf(request.view));
    const answers = found.map((ids) => ids.flatMap((id) => positions.get(idText(id)) ?? []));
    const shown = request.shareObjects
      ? answers.map((one) => ({ objects: [], positions: one }))
      : withOwnObjects(objects, answers);
    let next = 0;
    return {
      answers: resources.map((resource) =>
        resource === undefined ? { objects: [], positions: [], invalid: true } : { ...shown[next++]!, invalid: false },
      ),
      objects: request.shareObjects ? objects : [],
    };
  };
}

interface Shared {
  readonly objects: RegistryObject[];
  /** The position of an object in the response, by its `idText`; absent for unreadable ones. */
  readonly positions: ReadonlyMap<string, number>;
}

/** Each object once; without text if it does not fit. */
async function loadShared(
  context: Context,
  db: Db,
  source: Source,
  found: readonly (readonly ObjectId[])[],
  call: Call,
  filter: Filter,
): Promise<Shared> {
  const ids = new Map(found.flat().map((id) => [idText(id), id]));
  const objects: RegistryObject[] = [];
  const positions = new Map<string, number>();
  const add = (id: string, object: RegistryObject) => positions.set(id, objects.push(object) - 1);
  let bytes = 0;
  for await (const stored of loadInParts(db, [...ids.values()])) {
    const id = idText(stored);
    ids.delete(id);
    const [object] = stored.deleted ? [] : readableObjects(context, source, [stored], call, filter);
    if (object) add(id, object);
    bytes += stored.text.length;
    if (bytes >= maxTextBytes) break;
  }
  for (const [id, { type, key }] of ids) add(id, withoutText(source, type, key));
  return { objects, positions };
}

function withoutText(source: Source, type: ObjectTypeName, key: string): RegistryObject {
  return { source: source.name, type, key, text: '', revision: 0, serial: 0n, contacts: [], tags: [] };
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

function idText({ type, key }: Pick<ObjectId, 'type' | 'key'>): string {
  return `${type} ${key}`;
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
