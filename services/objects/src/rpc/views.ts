import { View } from '@cadastre/proto/registry';
import { filterObject, type RpslObject } from '@cadastre/rpsl';
import { type Call, ServiceError } from '@cadastre/service';
import { complete, type Filter } from './registry-object.js';

/** What a view leaves of an object. `isHolder` tells of objects with `auth` whether the caller may see it (R3). */
export function filterOf(view: View, isHolder: (object: RpslObject) => boolean = () => false): Filter {
  switch (view) {
    case View.VIEW_COMPLETE:
      return complete;
    case View.VIEW_UNFILTERED:
      return (object) => filterObject(object, { unfiltered: true, showAuth: isHolder(object) });
    default:
      return (object) => filterObject(object);
  }
}

/** Refuses VIEW_COMPLETE to callers that pass on to the public what they read. */
export function requireView(view: View, call: Call, publicCallers: readonly string[]): void {
  if (view === View.VIEW_COMPLETE && publicCallers.includes(call.caller)) {
    throw new ServiceError('forbidden', `Complete objects are not given to ${call.caller}`);
  }
}
