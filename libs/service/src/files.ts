import { open } from 'node:fs/promises';

/** Makes new names in a folder survive a crash of the machine. */
export async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder);
  await handle.sync();
}

/** The result of reading a file or directory; undefined when it does not exist. */
export function unlessAbsent<T>(found: Promise<T>): Promise<T | undefined> {
  return found.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}
