import { readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { errorText, type Logger } from '@cadastre/service';
import { type FileState, readState } from './state.js';
import { fileEnds, format, openTables, type Tables } from './tables.js';

/** A file of this release's format. */
export interface IndexFile {
  readonly file: string;
  readonly source: string;
  readonly number: number;
}

/** The files of the indexes in one directory: for each source one in use, and possibly a copy that is newer. */
export interface IndexFiles {
  list(): IndexFile[];
  /** A name for a new file of a source, newer than all. */
  next(source: string): IndexFile;
  /** Opens a file for reading; undefined for an unreadable one, which is set aside. */
  open(file: IndexFile): Tables | undefined;
  /** The state of a file; undefined for an unreadable one, which is set aside. */
  stateOf(file: IndexFile): FileState | undefined;
  remove(file: IndexFile): void;
  /** Sets a damaged file aside. */
  putAside(file: IndexFile, reason: unknown): void;
}

const name = new RegExp(`^(.+)\\.(\\d+)\\.v${format}\\.sqlite$`);

export function indexFiles(directory: string, logger: Logger): IndexFiles {
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
    next(source) {
      const numbers = list().flatMap((file) => (file.source === source ? [file.number] : []));
      const number = Math.max(given.get(source) ?? 0, ...numbers) + 1;
      given.set(source, number);
      return fileOf(source, number);
    },
    open,
    stateOf(file) {
      const tables = open(file);
      try {
        return tables && readState(tables);
      } finally {
        tables?.close();
      }
    },
    remove({ file }) {
      for (const end of fileEnds) rmSync(file + end, { force: true });
    },
    putAside,
  };
}

/** Whether SQLite found a damaged file (SQLITE_CORRUPT, SQLITE_NOTADB). */
export function isDamage(error: unknown): boolean {
  const { code, errcode } = error as { code?: string; errcode?: number };
  return code === 'ERR_SQLITE_ERROR' && errcode !== undefined && [11, 26].includes(errcode & 0xff);
}
