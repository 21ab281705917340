import type { Policy } from './domain/policy.js';
import type { ObjectsClient } from './objects/client.js';
import type { GeoSettings } from './settings.js';

/** The dependencies of the RPC handlers of this service. */
export interface Context {
  readonly objects: ObjectsClient;
  readonly policy: Policy;
}

/** The policy as configured. */
export function policyOf(settings: GeoSettings): Policy {
  const suspect = new Set(settings.suspectMailboxes.map((mailbox) => mailbox.toLowerCase()));
  return {
    mainSource: settings.source.toUpperCase(),
    operatorMaintainers: new Set(settings.operatorMaintainers.map((name) => name.toLowerCase())),
    isSuspect: (mailbox) => suspect.has(mailbox.toLowerCase()),
  };
}
