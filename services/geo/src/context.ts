import type { HolderPolicy } from '@cadastre/rpsl';
import type { ObjectsClient } from './objects/client.js';

/** The dependencies of the RPC handlers of this service. */
export interface Context {
  readonly objects: ObjectsClient;
  readonly policy: HolderPolicy;
}
