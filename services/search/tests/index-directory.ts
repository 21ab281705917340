import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An empty directory for the files of an index. */
export async function indexDirectory(): Promise<{ readonly path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'cadastre-index-'));
  return { path, remove: () => rm(path, { recursive: true }) };
}
