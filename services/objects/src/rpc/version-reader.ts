import { createTextTasks } from '@cadastre/service';
import type { StoredText } from '../store/stored-object.js';
import { type ShownText, showVersion } from './shown-version.js';

/** Reads what versions show; large ones on a thread (`createTextTasks`). */
export type VersionReader = ReturnType<typeof createVersionReader>;

/** A text of 1 MB takes 50 ms, and several times as long on a busy machine. */
const deadlineMs = 10_000;

export function createVersionReader() {
  const tasks = new URL('./shown-version.js', import.meta.url);
  const texts = createTextTasks({ showVersion }, { tasks, deadlineMs });
  return {
    /** Rejects when the text cannot be read, and with a ServiceError (unavailable) when the thread takes too long. */
    show: ({ type, key, text }: StoredText): Promise<ShownText> =>
      texts.run('showVersion', text.length, [{ type, key, text }]),
    /** Terminates the thread. */
    close: (): Promise<void> => texts.close(),
  };
}
