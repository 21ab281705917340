/**
 * For how many minutes to attack, on a machine that does nothing else; then the waiting times of others are bounded.
 * Without it, beside other test files, they are only printed.
 */
export const minutes = Number(process.env.CADASTRE_TEST_MINUTES ?? 0);
export const isAlone = minutes > 0;

/** Settings of a system: beside other tests, it has the timeouts of their systems. */
export const asUsual: Record<string, string> = isAlone
  ? { CADASTRE_GATEWAY_EVENT_LOOP_DELAY: '1s', CADASTRE_GATEWAY_DEADLINES: 'read=5s write=8s search=15s' }
  : {};
