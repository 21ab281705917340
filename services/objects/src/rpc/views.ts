import { type Principal, View } from '@cadastre/proto/registry';
import { filterObject } from '@cadastre/rpsl';
import { type Call, ServiceError } from '@cadastre/service';
import { authenticates } from '../domain/authenticate.js';
import { complete, type Filter } from './registry-object.js';

/** What a view leaves of an object. The principal matters only to VIEW_UNFILTERED of objects with `auth` (R3). */
export function filterOf(view: View, principal?: Principal): Filter {
  switch (view) {
    case View.VIEW_COMPLETE:
      return complete;
    case View.VIEW_UNFILTERED:
      return (object) =>
        filterObject(object, {
          unfiltered: true,
          showAuth: principal !== undefined && authenticates(object, principal),
        });
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
