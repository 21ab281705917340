import { createTextTasks } from '@cadastre/service';
import type { StoredText } from '../store/parse-stored.js';
import { type ShownText, showVersion } from './shown-version.js';

/** Reads what versions show; large ones on a thread (`createTextTasks`). */
export interface VersionReader {
  /** Rejects when the text cannot be read, and with a ServiceError (unavailable) when the thread takes too long. */
  show(stored: StoredText): Promise<ShownText>;
  /** Terminates the thread. */
  close(): Promise<void>;
}

/** A text of 1 MB takes 50 ms, and several times as long on a busy machine. */
const deadlineMs = 10_000;

export function createVersionReader(): VersionReader {
  const tasks = new URL('./shown-version.js', import.meta.url);
  const texts = createTextTasks({ showVersion }, { tasks, deadlineMs });
  return {
    show: ({ type, key, text }) => texts.run('showVersion', text.length, [{ type, key, text }]),
    close: () => texts.close(),
  };
}
