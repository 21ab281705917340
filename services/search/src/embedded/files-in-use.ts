import { ServiceError } from '@cadastre/service';
import { type IndexFile, type IndexFiles, isDamage } from './index-files.js';
import { readState } from './state.js';
import type { Tables } from './tables.js';

/** The index of a source that queries see. */
interface InUse {
  readonly file: IndexFile;
  readonly tables: Tables;
}

export type FilesInUse = ReturnType<typeof createFilesInUse>;

/** The indexes that queries see, one of each source. */
export function createFilesInUse(files: IndexFiles) {
  const inUse = new Map<string, InUse>();
  /** Sources whose index was damaged, until they have another one. */
  const lost = new Set<string>();
  /** Reads the index of a source; undefined without one. Sets a damaged file aside: then the index is built again. */
  const guarded = async <T>(source: string, read: (index: InUse) => T | Promise<T>): Promise<T | undefined> => {
    const index = inUse.get(source);
    if (index === undefined) return undefined;
    try {
      return await read(index);
    } catch (error) {
      if (!isDamage(error)) throw error;
      if (inUse.get(source) === index) {
        inUse.delete(source);
        lost.add(source);
        index.tables.close();
        files.putAside(index.file, error);
      }
      throw new ServiceError('unavailable', `The index of ${source} is damaged`, { cause: error });
    }
  };
  return {
    has: (source: string) => inUse.has(source),
    file: (source: string) => inUse.get(source)?.file,
    sources: () => inUse.keys(),
    lost: (): readonly string[] => [...lost],
    /** Replaces the index of a source. Throws when the new one cannot be read. */
    use(file: IndexFile): void {
      const tables = files.open(file);
      if (tables === undefined) throw new ServiceError('unavailable', `The index of ${file.source} cannot be read`);
      inUse.get(file.source)?.tables.close();
      inUse.set(file.source, { file, tables });
      lost.delete(file.source);
    },
    guarded,
    /** Reads the index of a source on the event loop; undefined without one. */
    reading: <T>(source: string, read: (tables: Tables) => T) =>
      guarded(source, ({ tables }) => tables.reading(() => read(tables))),
    state: (source: string) => guarded(source, ({ tables }) => readState(tables)),
    close(): void {
      for (const { tables } of inUse.values()) tables.close();
      inUse.clear();
    },
  };
}
