import { type HistoryPage, historyPageJson } from '@cadastre/rdap';
import { type ObjectDocument, type ObjectList, renderList, renderObjects } from '../documents/render.js';
import { expansionJson } from '../documents/set-expansion.js';
import type { Format } from '../documents/whois-resources.js';

/** Bytes, and the milliseconds of CPU that they took. */
export interface Rendered {
  readonly bytes: Uint8Array;
  readonly ms: number;
}

export function document(document: ObjectDocument): Rendered {
  return timed(() => renderObjects(document));
}

export function list(format: Format, list: ObjectList): Rendered {
  return timed(() => renderList(format, list));
}

/** Empty when no state is readable. */
export function history(page: HistoryPage): Rendered {
  return timed(() => historyPageJson(page) ?? '');
}

export function expansion(message: Uint8Array, withPrefixes: boolean): Rendered {
  return timed(() => expansionJson(message, withPrefixes));
}

/** A thread of low priority also waits for the processor, for which the client does not pay. */
function timed(work: () => string): Rendered {
  const before = process.threadCpuUsage();
  const bytes = Buffer.from(work());
  const { user, system } = process.threadCpuUsage(before);
  return { bytes, ms: (user + system) / 1000 };
}
