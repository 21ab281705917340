import type { Readable } from 'node:stream';

/** A file as the store has it. */
export interface StoredFile {
  /** Its name: parts separated by `/`, for example "nrtmv4/EXAMPLE/update-notification-file.jose". */
  readonly name: string;
  readonly bytes: number;
  /** When it was stored, by the clock of the store. */
  readonly stored: Date;
}

/** How a file is served, for stores that serve files themselves; `put` stores it with the file. */
export interface FileHeaders {
  readonly contentType: string;
  readonly cacheControl: string;
}

export interface PutOptions extends FileHeaders {
  /** Aborting it ends the call with its reason; readers then see what they saw before. */
  readonly signal?: AbortSignal;
}

/**
 * Where files for others lie: a directory or an S3 bucket. Readers see a file wholly or not at all, and what a call
 * stored survives the loss of power. Errors: whatever the store throws, when it is unavailable.
 */
export interface FileStore {
  /** Stores a file and replaces one of that name. Tells its size when readers can see it. */
  put(name: string, content: Readable | Buffer, options: PutOptions): Promise<{ readonly bytes: number }>;
  /**
   * Stores all files of a folder such as "dumps/example/" by `put`, whose names are relative to the folder, and then
   * shows them together, instead of those that were there. Absent where readers see each file when it is stored.
   */
  replaceFolder?(folder: string, write: (put: FileStore['put']) => Promise<void>): Promise<void>;
  /** The content of a small file; undefined when there is none, or when it has more than `most` bytes. */
  get(name: string, max: number): Promise<Buffer | undefined>;
  /** The files below a folder such as "nrtmv4/EXAMPLE/", in no order; also what unfinished calls of `put` left. */
  list(folder: string): AsyncIterable<StoredFile>;
  /** Removes a file; one that is not there is no error. */
  remove(name: string): Promise<void>;
  /** Ends the connections. */
  close(): void;
}
