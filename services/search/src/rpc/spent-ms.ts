import type { ClientTurns } from '@cadastre/service';

/** How long the reads of a call have run, in whole milliseconds. */
export function spentMs(turns: Pick<ClientTurns, 'takeSpentMs'>): number {
  return Math.round(turns.takeSpentMs());
}
