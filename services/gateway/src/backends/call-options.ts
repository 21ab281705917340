import type { GatewaySettings } from '../settings.js';

/** The options of calls for a request, with one of the deadlines. */
function callWithin(deadline: keyof GatewaySettings['deadlines']) {
  return (
    { settings }: { readonly settings: Pick<GatewaySettings, 'deadlines'> },
    { id: requestId }: { readonly id: string },
  ) => ({ deadlineMs: settings.deadlines[deadline], requestId });
}

/** The options of a call that gets its answer soon. */
export const shortCall = callWithin('read');

/** The options of a call that may take longer: it writes, or makes the auth service call the identity provider. */
export const longCall = callWithin('write');
