import type { ObjectReaderServiceService } from '@cadastre/proto/objects';
import { type ObjectTypeName, objectTypeNames } from '@cadastre/rpsl';
import type { Handlers } from '@cadastre/service';
import type { Context } from '../context.js';
import { objectsAfter } from '../store/exports.js';
import { currentSerial } from '../store/serials.js';
import type { StoredObject } from '../store/stored-object.js';
import { registryObject } from './registry-object.js';
import { requireSource, requireType } from './requested.js';
import { filterOf, requireView } from './views.js';

const pageSize = 500;

export function exportObjects(context: Context): Handlers<typeof ObjectReaderServiceService>['exportObjects'] {
  return async function* (request, call) {
    const source = requireSource(context.sources, request.source);
    const asked = new Set(request.types.map(requireType));
    requireView(request.view, call, context.publicCallers);
    const filter = filterOf(request.view);
    yield { serial: await currentSerial(context.readPool, source.id), objects: [] };
    for (const type of objectTypeNames.filter((name) => asked.size === 0 || asked.has(name))) {
      for await (const page of pagesOf(context, source.id, type)) {
        if (call.signal.aborted) return;
        yield { serial: 0n, objects: page.map((stored) => registryObject(source, stored, filter)) };
      }
    }
  };
}

/** The next page is fetched while the caller is busy with the last one. */
async function* pagesOf(context: Context, sourceId: number, type: ObjectTypeName): AsyncGenerator<StoredObject[]> {
  const load = (after: string) => objectsAfter(context.readPool, sourceId, type, after, pageSize);
  let page = await load('');
  while (page.length > 0) {
    const next = page.length === pageSize ? load(page.at(-1)!.key) : Promise.resolve([]);
    next.catch(() => {}); // awaited below, unless the caller goes away first
    yield page;
    page = await next;
  }
}
