import { ContainedScope, type HierarchyServiceService } from '@cadastre/proto/objects';
import { parseResource } from '@cadastre/rpsl';
import { failureMessage, type Handlers, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import { containedPages } from '../store/contained-pages.js';
import { registryObject } from './registry-object.js';
import { requireSource, requireType } from './requested.js';
import { filterOf, requireView } from './views.js';

const pageSize = 500;

export function listContained(context: Context): Handlers<typeof HierarchyServiceService>['listContained'] {
  return async function* (request, call) {
    const source = requireSource(context.sources, request.source);
    const type = requireType(request.type);
    requireView(request.view, call, context.publicCallers);
    const resource = parseResource(request.resource);
    if (resource === undefined) {
      throw new ServiceError('invalid', [failureMessage('"%s" is no address range or AS range', [request.resource])]);
    }
    const filter = filterOf(request.view);
    const scope = request.scope === ContainedScope.CONTAINED_SCOPE_ALL ? 'all' : 'children';
    let left = request.limit === 0 ? Number.POSITIVE_INFINITY : request.limit;
    const size = Math.min(pageSize, left);
    for await (const page of containedPages(context.readPool, source.id, type, resource, scope, size)) {
      if (call.signal.aborted) return;
      yield { objects: page.slice(0, left).map((stored) => registryObject(source, stored, filter)) };
      left -= page.length;
      if (left <= 0) return;
    }
  };
}
