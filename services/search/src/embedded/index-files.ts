import { readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { errorText, type Logger, ServiceError } from '@cadastre/service';
import { type FileState, readState } from './state.js';
import { fileEnds, format, openTables, type Tables } from './tables.js';

/** A file of this release's format. */
export interface IndexFile {
  readonly file: string;
  readonly source: string;
  readonly number: number;
}

/** The files of the indexes in one directory: for each source one in use, and possibly a copy that is newer. */
export type IndexFiles = ReturnType<typeof indexFiles>;

const name = new RegExp(`^(.+)\\.(\\d+)\\.v${format}\\.sqlite$`);

export function indexFiles(directory: string, logger: Logger) {
  const fileOf = (source: string, number: number): IndexFile => {
    return { file: join(directory, `${encodeURIComponent(source)}.${number}.v${format}.sqlite`), source, number };
  };
  /** The newest numbers: their files may not exist yet. */
  const given = new Map<string, number>();
  const list = () =>
    readdirSync(directory).flatMap((entry) => {
      const [, source, number] = name.exec(entry) ?? [];
      return source === undefined ? [] : [fileOf(decodeURIComponent(source), Number(number))];
    });
  const putAside = ({ file, source }: IndexFile, reason: unknown) => {
    logger.error({ source, file, reason: errorText(reason) }, 'index file is damaged: it is set aside');
    for (const end of fileEnds.slice(1)) rmSync(file + end, { force: true });
    try {
      renameSync(file, `${file}.damaged`);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  };
  const open = (file: IndexFile) => {
    try {
      const tables = openTables(file.file, { readOnly: true });
      readState(tables);
      return tables;
    } catch (error) {
      putAside(file, error);
      return undefined;
    }
  };
  return {
    list,
    /** A name for a new file of a source, newer than all. */
    next(source: string): IndexFile {
      const numbers = list().flatMap((file) => (file.source === source ? [file.number] : []));
      const number = Math.max(given.get(source) ?? 0, ...numbers) + 1;
      given.set(source, number);
      return fileOf(source, number);
    },
    /** Opens a file for reading; undefined for an unreadable one, which is set aside. */
    open,
    /** The state of a file; undefined for an unreadable one, which is set aside. */
    stateOf(file: IndexFile): FileState | undefined {
      const tables = open(file);
      try {
        return tables && readState(tables);
      } finally {
        tables?.close();
      }
    },
    remove({ file }: IndexFile): void {
      for (const end of fileEnds) rmSync(file + end, { force: true });
    },
    /** Sets a damaged file aside. */
    putAside,
  };
}

/** Whether SQLite found a damaged file (SQLITE_CORRUPT, SQLITE_NOTADB). */
function isDamage(error: unknown): boolean {
  const { code, errcode } = error as { code?: string; errcode?: number };
  return code === 'ERR_SQLITE_ERROR' && errcode !== undefined && [11, 26].includes(errcode & 0xff);
}

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
