import { SetServiceService } from '@cadastre/proto/whois';
import type { AllowedCallers, Handlers } from '@cadastre/service';
import { expandSet, type SetHandlersOptions } from './expand-set.js';

/** All methods of this service. */
export function setHandlers(options: SetHandlersOptions): Handlers<typeof SetServiceService> {
  return { expandSet: expandSet(options) };
}

/** Which of our services may call which method. */
export const allowedCallers: AllowedCallers = { [SetServiceService.expandSet.path]: ['gateway'] };
