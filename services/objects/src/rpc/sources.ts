import { type ExportObjectsResponse, type ObjectReaderServiceService, SourceKind } from '@cadastre/proto/objects';
import { type ObjectTypeName, objectTypeNames } from '@cadastre/rpsl';
import { duringCall, type Handlers, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import { type ExportPage, objectsAfter, objectsAsOfAfter } from '../store/exports.js';
import { instantOf, newestChange } from '../store/serials.js';
import { type Source, sourceStates } from '../store/sources.js';
import type { Db } from '../store/stored-object.js';
import { requireMoment, requireSerial } from './moments.js';
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
    const requested = new Set(request.types.map(requireType));
    requireView(request.view, call, context.publicCallers);
    const filter = filterOf(request.view);
    const start = startOf(request.after);
    const db = duringCall(context.readPool, call);
    const asOf = request.asOf && (await requireMoment(db, source, request.asOf, context.clock()));
    yield await beginning(db, source, asOf);
    for (const type of objectTypeNames.slice(objectTypeNames.indexOf(start.type))) {
      if (requested.size > 0 && !requested.has(type)) continue;
      const read = (after: string) => readPage(db, source, type, after, asOf);
      for await (const { objects, last } of pagesOf(read, type === start.type ? start.key : '')) {
        if (call.signal.aborted) return;
        const position = `${type} ${last}`;
        yield { serial: 0n, objects: readableObjects(context, source, objects, call, filter), position };
      }
    }
  };
}

/** The type and key after which an export resumes; the key is '' for the first object of the type. */
function startOf(position: string | undefined): { readonly type: ObjectTypeName; readonly key: string } {
  if (position === undefined) return { type: objectTypeNames[0]!, key: '' };
  const [, type, key] = /^(\S+) (.*)$/s.exec(position) ?? [];
  if (type === undefined || key === undefined) throw new ServiceError('invalid', 'No page had this position');
  return { type: requireType(type), key };
}

async function beginning(db: Db, { id }: Source, asOf: bigint | undefined): Promise<ExportObjectsResponse> {
  if (asOf === undefined) return { ...(await newestChange(db, id)), objects: [] };
  return { serial: asOf, instant: await instantOf(db, id, asOf), objects: [], exact: true };
}

async function readPage(db: Db, source: Source, type: ObjectTypeName, after: string, asOf: bigint | undefined) {
  if (asOf === undefined) return objectsAfter(db, source.id, type, after);
  const page = await objectsAsOfAfter(db, source.id, type, after, asOf);
  await requireSerial(db, source, asOf);
  return page;
}

/** Fetches the next page while the caller works on the current one. */
async function* pagesOf(read: (after: string) => Promise<ExportPage>, start: string): AsyncGenerator<ExportPage> {
  for (let next = read(start); ; ) {
    const page = await next;
    if (page.last === undefined) return;
    next = read(page.last);
    next.catch(() => {}); // awaited above, unless the caller leaves first
    yield page;
  }
}
