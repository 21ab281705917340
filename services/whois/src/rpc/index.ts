import { SetServiceService } from '@cadastre/proto/whois';
import type { AllowedCallers, Handlers } from '@cadastre/service';
import type { AnswerMemory } from '../answer-memory.js';
import type { SetIndex } from '../sets/set-index.js';
import { expandSet } from './expand-set.js';

/** All methods of this service. */
export function setHandlers(index: SetIndex, memory: AnswerMemory): Handlers<typeof SetServiceService> {
  return { expandSet: expandSet(index, memory) };
}

/** Which of our services may call which method. */
export const allowedCallers: AllowedCallers = { [SetServiceService.expandSet.path]: ['gateway'] };
