import type { Context } from '../context.js';
import type { Dialect } from '../dialect.js';

/** Answers RIPE-style queries: not yet. */
export function ripeDialect(_context: Context): Dialect {
  return (_line, state) => ({
    body: Buffer.from('%ERROR:111: invalid option supplied\n%\n% This service answers IRRd-style commands only.\n\n\n'),
    state,
  });
}
