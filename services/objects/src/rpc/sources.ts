import { type ObjectReaderServiceService, SourceKind } from '@cadastre/proto/objects';
import { type ObjectTypeName, objectTypeNames } from '@cadastre/rpsl';
import { duringCall, type Handlers, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import { objectsAfter } from '../store/exports.js';
import { newestChange } from '../store/serials.js';
import { sourceStates } from '../store/sources.js';
import type { Db, StoredObject } from '../store/stored-object.js';
import { filterOf, readableObjects, requireView } from './registry-object.js';
import { requireSource, requireType } from './requested.js';

const kinds = { main: SourceKind.SOURCE_KIND_MAIN, grs: SourceKind.SOURCE_KIND_GRS } as const;

export function listSources(context: Context): Handlers<typeof ObjectReaderServiceService>['listSources'] {
  return async (_, call) => {
    const { all } = context.sources;
    const states = await sourceStates(duringCall(context.readPool, call));
    return { sources: all.map(({ id, name, kind }) => ({ name, kind: kinds[kind], ...states.get(id)! })) };
  };
}

export function exportObjects(context: Context): Handlers<typeof ObjectReaderServiceService>['exportObjects'] {
  return async function* (request, call) {
    const source = requireSource(context.sources, request.source);
    const asked = new Set(request.types.map(requireType));
    requireView(request.view, call, context.publicCallers);
    const filter = filterOf(request.view);
    const start = startOf(request.after);
    const db = duringCall(context.readPool, call);
    yield { ...(await newestChange(db, source.id)), objects: [] };
    for (const type of objectTypeNames.slice(objectTypeNames.indexOf(start.type))) {
      if (asked.size > 0 && !asked.has(type)) continue;
      for await (const page of pagesOf(db, source.id, type, type === start.type ? start.key : '')) {
        if (call.signal.aborted) return;
        const position = `${type} ${page.at(-1)!.key}`;
        yield { serial: 0n, objects: readableObjects(context, source, page, call, filter), position };
      }
    }
  };
}

/** The type and key after which an export goes on; the key is '' for the first object of the type. */
function startOf(position: string | undefined): { readonly type: ObjectTypeName; readonly key: string } {
  if (position === undefined) return { type: objectTypeNames[0]!, key: '' };
  const [, type, key] = /^(\S+) (.*)$/s.exec(position) ?? [];
  if (type === undefined || key === undefined) throw new ServiceError('invalid', 'No page had this position');
  return { type: requireType(type), key };
}

/** Fetches the next page while the caller works on the current one. */
async function* pagesOf(db: Db, sourceId: number, type: ObjectTypeName, after: string): AsyncGenerator<StoredObject[]> {
  let page = await objectsAfter(db, sourceId, type, after);
  while (page.length > 0) {
    const next = objectsAfter(db, sourceId, type, page.at(-1)!.key);
    next.catch(() => {}); // awaited below, unless the caller goes away first
    yield page;
    page = await next;
  }
}
