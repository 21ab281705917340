import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { StartFailure } from './start-failure.js';

/**
 * Claims a directory for this process; throws a StartFailure when another process has it. The claim is a socket in
 * Linux's abstract namespace, named after the directory itself: it always ends with the process, and two paths of one
 * directory are one claim.
 */
export async function claimDirectory(directory: string): Promise<{ release(): void }> {
  const { dev, ino } = await stat(directory);
  const server = createServer((socket) => socket.destroy());
  await once(server.listen({ path: `\0cadastre-data-${dev}-${ino}` }), 'listening').catch((error) => {
    if (error.code !== 'EADDRINUSE') throw error;
    throw new StartFailure(
      `A registry is already running with the data in ${directory}. Stop it, or set CADASTRE_DATA_DIR.`,
    );
  });
  server.unref();
  return { release: () => void server.close() };
}
