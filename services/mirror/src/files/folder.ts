import { randomBytes } from 'node:crypto';
import { createWriteStream, type Dirent } from 'node:fs';
import {
  type FileHandle,
  mkdir,
  open,
  readdir,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { syncFolder, unlessAbsent } from '@cadastre/service';
import type { FileStore, StoredFile } from './file-store.js';

/** Files that are being written; nothing serves names that begin with a dot. */
const unfinishedPrefix = '.unfinished-';

/** A store in a directory, which is created when the first file is stored. */
export function folderStore(root: string): FileStore {
  const place = (name: string) => placeOf(root, name);
  return {
    async put(name, content, { signal }) {
      signal?.throwIfAborted();
      const target = place(name);
      const folder = path.dirname(target);
      await mkdir(folder, { recursive: true });
      const unfinished = path.join(folder, `${unfinishedPrefix}${randomBytes(8).toString('hex')}`);
      try {
        if (Buffer.isBuffer(content)) await writeFile(unfinished, content, { flag: 'wx', flush: true, signal });
        else await pipeline(content, createWriteStream(unfinished, { flags: 'wx', flush: true }), { signal });
        signal?.throwIfAborted();
        await rename(unfinished, target);
      } catch (error) {
        await rm(unfinished, { force: true });
        throw error;
      }
      await syncFolder(folder);
      return { bytes: (await stat(target)).size };
    },
    async replaceFolder(folder, write) {
      const name = folder.replace(/\/+$/, '');
      const place = placeOf(root, name);
      const states = `${path.dirname(place)}/.${path.basename(place)}-`;
      const state = `${states}${randomBytes(8).toString('hex')}`;
      await mkdir(path.dirname(place), { recursive: true });
      await removeOthers(states, await shownBy(place));
      try {
        await mkdir(state);
        await write(folderStore(state).put);
        await syncFolder(state);
        await symlink(path.basename(state), `${state}.link`);
        await rename(`${state}.link`, place);
      } catch (error) {
        await rm(`${state}.link`, { force: true });
        await rm(state, { recursive: true, force: true });
        throw error;
      }
      await syncFolder(path.dirname(place));
      await removeOthers(states, state);
    },
    async get(name, max) {
      const file = await unlessAbsent(open(place(name)));
      if (file === undefined) return undefined;
      try {
        return await readAtMost(file, max);
      } finally {
        await file.close();
      }
    },
    async *list(folder) {
      yield* filesBelow(root, folder.replace(/\/+$/, ''));
    },
    async remove(name) {
      await rm(place(name), { force: true });
    },
    close() {},
  };
}

/** A name never leads out of the directory. */
function placeOf(root: string, name: string): string {
  const parts = name.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..')) throw new Error(`no name of a file: ${name}`);
  return path.join(root, ...parts);
}

async function readAtMost(file: FileHandle, max: number): Promise<Buffer | undefined> {
  const { size } = await file.stat();
  return size > max ? undefined : file.readFile();
}

async function* filesBelow(root: string, folder: string): AsyncGenerator<StoredFile> {
  const entries: Dirent[] = (await unlessAbsent(readdir(placeOf(root, folder), { withFileTypes: true }))) ?? [];
  for (const entry of entries) {
    const name = `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* filesBelow(root, name);
    if (!entry.isFile()) continue;
    const found = await unlessAbsent(stat(placeOf(root, name)));
    if (found !== undefined) yield { name, bytes: found.size, stored: found.mtime };
  }
}

/** The directory that a symbolic link names; undefined without one. */
async function shownBy(link: string): Promise<string | undefined> {
  const target = await unlessAbsent(readlink(link));
  return target === undefined ? undefined : path.join(path.dirname(link), target);
}

/** Removes the other states of a folder, also those of dead writers. */
async function removeOthers(states: string, stored: string | undefined): Promise<void> {
  const parent = path.dirname(states);
  for (const name of await readdir(parent)) {
    const place = path.join(parent, name);
    const isState = place.startsWith(states) && /^[\da-f]{16}(\.link)?$/.test(place.slice(states.length));
    if (isState && place !== stored) await rm(place, { recursive: true, force: true });
  }
}
