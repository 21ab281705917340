import type { Dialect } from '../dialect.js';

/** Answers IRRd-style commands. */
export function irrdDialect(): Dialect {
  return (line, state) => ({ body: Buffer.from(`F Unrecognised command: ${line.slice(1)}\n`), state });
}
