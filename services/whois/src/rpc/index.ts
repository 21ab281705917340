import { SetServiceService } from '@cadastre/proto/whois';
import type { AllowedCallers, Handlers } from '@cadastre/service';
import type { SetTools } from '../sets/expansion.js';
import { describeSet } from './describe-set.js';
import { expandSet } from './expand-set.js';

/** The methods that need the set index alone. */
export function setHandlers(tools: SetTools): Pick<Handlers<typeof SetServiceService>, 'expandSet' | 'describeSet'> {
  return { expandSet: expandSet(tools), describeSet: describeSet(tools) };
}

/** Which of our services may call which method. */
export const allowedCallers: AllowedCallers = {
  [SetServiceService.expandSet.path]: ['gateway'],
  [SetServiceService.describeSet.path]: ['gateway'],
  [SetServiceService.answerLine.path]: ['gateway'],
};
