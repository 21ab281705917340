import type { RejectedObject } from '@cadastre/proto/objects';
import { printableLine } from '../printable.js';

/** Counts rejected objects by reason. */
export interface RejectReasons {
  add(rejected: Pick<RejectedObject, 'name' | 'reasons'>): void;
  counts(): RejectCounts;
}

/** How many objects were rejected for each reason; an object with two reasons counts for both. */
export interface RejectCounts {
  /** The most frequent first, each with the name of one object, if one had a name. */
  reasons: { reason: string; rejected: number; example: string | null }[];
  /** For all other reasons. */
  others: number;
}

const maxHeld = 1_000;
const maxShown = 20;
const maxReasonLength = 200;
const maxNameLength = 80;

export function createRejectReasons(): RejectReasons {
  const held = new Map<string, { rejected: number; readonly example: string | null }>();
  let others = 0;
  return {
    add({ name, reasons }) {
      for (const one of reasons) {
        const reason = printableLine(one, maxReasonLength);
        const known = held.get(reason);
        if (known) known.rejected += 1;
        else if (held.size < maxHeld)
          held.set(reason, { rejected: 1, example: printableLine(name, maxNameLength) || null });
        else others += 1;
      }
    },
    counts() {
      const sorted = [...held].sort(([, a], [, b]) => b.rejected - a.rejected);
      return {
        reasons: sorted.slice(0, maxShown).map(([reason, counted]) => ({ reason, ...counted })),
        others: sorted.slice(maxShown).reduce((sum, [, { rejected }]) => sum + rejected, others),
      };
    },
  };
}

/** One line for each reason, and one for all others. */
export function linesOf({ reasons, others }: RejectCounts): string[] {
  const lines = reasons.map(({ reason, rejected, example }) => {
    return `${rejected} rejected: ${reason}${example === null ? '' : ` (for example ${example})`}`;
  });
  return others > 0 ? [...lines, `${others} rejected for other reasons`] : lines;
}
