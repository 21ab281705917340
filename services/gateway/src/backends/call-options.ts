import type { GatewaySettings } from '../settings.js';

/** Deadline and request id of a call. */
interface DeadlineAndId {
  readonly deadlineMs: number;
  readonly requestId: string;
}

/** The options of a call that reads, for a request. */
export function readCall(
  { settings }: { readonly settings: Pick<GatewaySettings, 'deadlines'> },
  { id: requestId }: { readonly id: string },
): DeadlineAndId {
  return { deadlineMs: settings.deadlines.read, requestId };
}

/** The options of a call that writes or that makes the auth service call the identity provider, for a request. */
export function writeCall(
  { settings }: { readonly settings: Pick<GatewaySettings, 'deadlines'> },
  { id: requestId }: { readonly id: string },
): DeadlineAndId {
  return { deadlineMs: settings.deadlines.write, requestId };
}
