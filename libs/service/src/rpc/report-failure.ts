import { errorText, type FailureKind, toServiceError } from '../errors.js';
import { summary } from './status.js';
import type { Call } from './types.js';

/**
 * Logs the failure of a call, or of a part of one: as an error when this service or a dependency failed, at debug level
 * when the caller did. Returns its kind.
 */
export function reportFailure(path: string, call: Pick<Call, 'caller' | 'logger'>, thrown: unknown): FailureKind {
  const error = toServiceError(thrown);
  const event = { method: path, caller: call.caller, kind: error.kind };
  if (error.kind === 'internal') call.logger.error({ ...event, err: error.cause ?? error }, 'call failed');
  else if (error.kind === 'unavailable' && error.cause)
    call.logger.warn({ ...event, reason: errorText(error.cause) }, 'call failed');
  else if (call.logger.isLevelEnabled('debug')) call.logger.debug({ ...event, reason: summary(error) }, 'call refused');
  return error.kind;
}
