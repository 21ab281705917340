import { open } from 'node:fs/promises';

/** Makes new names in a folder survive a crash of the machine. */
export async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder);
  await handle.sync();
}
