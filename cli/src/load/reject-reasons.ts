import type { RejectedObject } from '@cadastre/proto/objects';
import { printableLine } from '../printable.js';

/** Counts rejected objects by reason. */
export interface RejectReasons {
  add(rejected: Pick<RejectedObject, 'name' | 'reasons'>): void;
  /** One line per reason with an example, the most frequent first; an object with two reasons counts for both. */
  lines(): string[];
}

const mostHeld = 1_000;
const mostShown = 20;
const longestReason = 200;
const longestName = 80;

export function createRejectReasons(): RejectReasons {
  const held = new Map<string, { count: number; readonly example: string }>();
  let others = 0;
  return {
    add({ name, reasons }) {
      for (const one of reasons) {
        const reason = printableLine(one, longestReason);
        const known = held.get(reason);
        if (known) known.count += 1;
        else if (held.size < mostHeld) held.set(reason, { count: 1, example: printableLine(name, longestName) });
        else others += 1;
      }
    },
    lines() {
      const sorted = [...held].sort(([, a], [, b]) => b.count - a.count);
      const shown = sorted.slice(0, mostShown);
      const hidden = sorted.slice(mostShown).reduce((sum, [, { count }]) => sum + count, others);
      const lines = shown.map(([reason, { count, example }]) => `${count} rejected: ${reason}${exampleText(example)}`);
      return hidden > 0 ? [...lines, `${hidden} rejected for other reasons`] : lines;
    },
  };
}

function exampleText(example: string): string {
  return example === '' ? '' : ` (for example ${example})`;
}
