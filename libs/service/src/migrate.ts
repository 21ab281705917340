import type { Logger } from './logger.js';

/**
 * Brings a database to the newest schema: runs the files NNNN-name.sql of the directory that have not run yet, in
 * order, under an advisory lock. Forward only; running it again does nothing.
 */
export async function migrate(_o: { url: string; directory: URL; logger: Logger }): Promise<void> {
  throw new Error('not written yet');
}
