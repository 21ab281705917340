import { serveTasks } from '@cadastre/service/worker';
import { type HistoryPage, historyPageJson } from '../rdap/history-page.js';
import { type ObjectDocument, type ObjectList, renderList, renderObjects } from './render.js';
import type { Format } from './resource.js';

// The thread that renders large objects for `createRenderer`.
const tasks = {
  document: (document: ObjectDocument) => timed(() => renderObjects(document)),
  list: (format: Format, list: ObjectList) => timed(() => renderList(format, list)),
  history: (page: HistoryPage) => timed(() => historyPageJson(page) ?? ''),
};

/** Bytes, and the milliseconds that they took. */
export interface Rendered {
  readonly bytes: Uint8Array;
  readonly ms: number;
}

function timed(work: () => string): Rendered {
  const began = performance.now();
  const bytes = Buffer.from(work());
  return { bytes, ms: performance.now() - began };
}

export type RenderTasks = typeof tasks;

serveTasks(tasks, { isLowPriority: true });
