import { SetServiceService } from '@cadastre/proto/whois';
import type { AllowedCallers, Handlers } from '@cadastre/service';
import { describeSet } from './describe-set.js';
import { expandSet } from './expand-set.js';
import type { SetHandlersOptions } from './selection.js';

/** The methods that need the set index alone. */
export function setHandlers(
  options: SetHandlersOptions,
): Pick<Handlers<typeof SetServiceService>, 'expandSet' | 'describeSet'> {
  return { expandSet: expandSet(options), describeSet: describeSet(options) };
}

/** Which of our services may call which method. */
export const allowedCallers: AllowedCallers = {
  [SetServiceService.expandSet.path]: ['gateway'],
  [SetServiceService.describeSet.path]: ['gateway'],
  [SetServiceService.answerLine.path]: ['gateway'],
};
