import { ContainedScope, type HierarchyServiceService } from '@cadastre/proto/objects';
import { parseResource } from '@cadastre/rpsl';
import { failureMessage, type Handlers, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import { containedPages } from '../store/contained-pages.js';
import { filterOf, readableObjects, requireView } from './registry-object.js';
import { requireSource, requireType } from './requested.js';

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
