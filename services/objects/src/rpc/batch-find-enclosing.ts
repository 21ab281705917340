import { type HierarchyServiceService, EnclosingScope as ProtoScope } from '@cadastre/proto/objects';
import { type ObjectTypeName, parseResource } from '@cadastre/rpsl';
import { type Handlers, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import { type EnclosingScope, findEnclosing } from '../store/hierarchy.js';
import { registryObject } from './registry-object.js';
import { requireSource, requireType } from './requested.js';
import { filterOf, requireView } from './views.js';

const maxResources = 1000;
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
    const found = await findEnclosing(
      context.readPool,
      source.id,
      types.length > 0 ? types : defaultTypes,
      resources.filter((resource) => resource !== undefined),
      scopeOf(request.scope),
    );
    const filter = filterOf(request.view);
    const answers = found.map((objects) => objects.map((stored) => registryObject(source, stored, filter)));
    let next = 0;
    return {
      answers: resources.map((resource) =>
        resource === undefined ? { objects: [], invalid: true } : { objects: answers[next++]!, invalid: false },
      ),
    };
  };
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
