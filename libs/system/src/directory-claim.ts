import { stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { StartFailure } from './start-failure.js';

/**
 * Claims a directory for this process; throws a StartFailure when another process has it. The claim is a socket in
 * Linux's abstract namespace, named after the directory itself: it always ends with the process, and two paths of one
 * directory are one claim.
 */
export async function claimDirectory(directory: string): Promise<{ release(): void }> {
  const { dev, ino } = await stat(directory);
  const server = createServer((socket) => socket.destroy());
  if (!(await listen(server, `\0cadastre-data-${dev}-${ino}`))) {
    throw new StartFailure(
      `A registry is already running with the data in ${directory}. Stop it, or set CADASTRE_DATA_DIR.`,
    );
  }
  server.unref();
  return { release: () => void server.close() };
}

function listen(server: Server, path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
    );
    server.listen({ path }, () => resolve(true));
  });
}
