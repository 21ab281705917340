import type { AllowedCallers, Implementation } from '@cadastre/service';
import type { Context } from '../context.js';

/** All gRPC services of this process. */
export function implementations(_context: Context): Implementation[] {
  return [];
}

/** Which of our services may call which method. */
export const allowedCallers: AllowedCallers = {};
