import type { Readable } from 'node:stream';

/** A file in the store. */
export interface StoredFile {
  /** Its name: parts separated by `/`, for example "nrtmv4/EXAMPLE/update-notification-file.jose". */
  readonly name: string;
  readonly bytes: number;
  /** When it was stored, according to the clock of the store. */
  readonly stored: Date;
}

/** The headers of a file, for stores that serve files themselves; `put` stores them with the file. */
export interface FileHeaders {
  readonly contentType: string;
  readonly cacheControl: string;
}

export interface PutOptions extends FileHeaders {
  /** Aborting it ends the call with its reason; readers then see the same as before. */
  readonly signal?: AbortSignal;
}

/**
 * The store of published files: a directory or an S3 bucket. Readers see only complete files, and stored files survive
 * a loss of power. Errors: those of the store, when it is unavailable.
 */
export interface FileStore {
  /** Stores a file, or replaces the one with that name. Returns its size when readers can see it. */
  put(name: string, content: Readable | Buffer, options: PutOptions): Promise<{ readonly bytes: number }>;
  /**
   * Stores all files of a folder such as "dumps/example/" by `put`, whose names are relative to the folder, and then
   * shows them together, instead of the former ones. Absent if readers see each file when it is stored.
   */
  replaceFolder?(folder: string, write: (put: FileStore['put']) => Promise<void>): Promise<void>;
  /** The content of a small file; undefined when there is none, or when it has more than `max` bytes. */
  get(name: string, max: number): Promise<Buffer | undefined>;
  /**
   * The files below a folder such as "nrtmv4/EXAMPLE/", in no order; includes the remains of unfinished calls of `put`.
   */
  list(folder: string): AsyncIterable<StoredFile>;
  /** Removes a file; a missing one is not an error. */
  remove(name: string): Promise<void>;
  /** Ends the connections. */
  close(): void;
}
