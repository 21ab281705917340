/** One object of a dump file. */
export interface DumpEntry {
  /** The object's lines without comment lines; empty when the object was too large. */
  readonly text: string;
  /** Number of its first line in the file, from 1. */
  readonly line: number;
  /** Number of the blank line that ended it, or of the one after the last. */
  readonly end: number;
  /** Its size in characters, when it exceeds the limit. */
  readonly tooLarge?: number;
}

export interface DumpOptions {
  /** Maximum size of an object in characters; larger ones are reported and skipped. Default 5,000,000. */
  readonly maxObjectSize?: number;
  /** Number of the first line of the text. Default 1. */
  readonly firstLine?: number;
}

const defaultMaxObjectSize = 5_000_000;
const lineFeed = 10;
const carriageReturn = 13;
const hash = 35;
const percent = 37;

/** The objects of a dump file that arrives in arbitrary chunks. */
export async function* splitDump(chunks: AsyncIterable<string>, options?: DumpOptions): AsyncGenerator<DumpEntry> {
  const splitter = new DumpSplitter(options);
  for await (const chunk of chunks) {
    yield* splitter.push(chunk);
  }
  yield* splitter.end();
}

/**
 * Splits dump text into objects: blank lines separate them; skips lines that start with `#` or `%`, and objects that
 * IRRd has deleted in place (`*xxte:` was `route:`).
 * Holds at most one object and one chunk at a time.
 */
export class DumpSplitter {
  readonly #maxObjectSize: number;
  #buffer = '';
  /** Start of the current object's part of the buffer. */
  #from = 0;
  /** Lines of the current object before a skipped comment line. */
  #before = '';
  /** Start of the first unread line. */
  #next = 0;
  /** Where to continue the search for the end of that line. */
  #scanned = 0;
  #line: number;
  #objectLine = 0;
  /** Number of discarded characters of an oversized object. */
  #dropped = 0;

  constructor(options: DumpOptions = {}) {
    this.#maxObjectSize = options.maxObjectSize ?? defaultMaxObjectSize;
    this.#line = options.firstLine ?? 1;
  }

  /** The objects that this chunk completes. */
  push(chunk: string): DumpEntry[] {
    this.#compact(chunk);
    const entries: DumpEntry[] = [];
    for (;;) {
      const newline = this.#buffer.indexOf('\n', this.#scanned);
      if (newline < 0) {
        this.#scanned = this.#buffer.length;
        this.#discard();
        return entries;
      }
      this.#takeLine(newline, entries);
    }
  }

  /** The object that the end of the file completes, if any. */
  end(): DumpEntry[] {
    return this.push(this.#next === this.#buffer.length ? '\n' : '\n\n');
  }

  #takeLine(newline: number, entries: DumpEntry[]): void {
    const start = this.#next;
    const code = this.#buffer.charCodeAt(start);
    this.#next = newline + 1;
    this.#scanned = newline + 1;
    if (code === lineFeed || (code === carriageReturn && newline === start + 1)) {
      this.#finishObject(start, entries);
    } else if (code === hash || code === percent) {
      this.#skipLine(start);
    } else if (this.#objectLine === 0) {
      this.#objectLine = this.#line;
      this.#from = start;
    }
    this.#line++;
  }

  #skipLine(start: number): void {
    if (this.#objectLine > 0) this.#before += this.#buffer.slice(this.#from, start);
    this.#from = this.#next;
  }

  #finishObject(end: number, entries: DumpEntry[]): void {
    if (this.#objectLine > 0) {
      const text = this.#before + this.#buffer.slice(this.#from, end);
      const size = this.#dropped + text.length;
      const lines = { line: this.#objectLine, end: this.#line };
      if (size > this.#maxObjectSize) entries.push({ text: '', ...lines, tooLarge: size });
      else if (!text.startsWith('*xx')) entries.push({ text, ...lines });
    }
    this.#from = this.#next;
    this.#before = '';
    this.#objectLine = 0;
    this.#dropped = 0;
  }

  #compact(chunk: string): void {
    this.#buffer = this.#buffer.slice(this.#from) + chunk;
    this.#next -= this.#from;
    this.#scanned -= this.#from;
    this.#from = 0;
  }

  /** Limits memory: discards comments, and everything of an oversized object but its size. */
  #discard(): void {
    const code = this.#buffer.charCodeAt(this.#next);
    if (code === hash || code === percent) {
      this.#buffer = this.#buffer.slice(0, this.#next + 1);
      this.#scanned = this.#buffer.length;
    }
    const size = this.#before.length + this.#buffer.length - this.#from;
    if (size <= this.#maxObjectSize) return;
    // The first two characters of an unfinished line determine its kind.
    const lineStart = this.#buffer.slice(this.#next, this.#next + 2);
    this.#dropped += size - lineStart.length;
    this.#objectLine ||= this.#line;
    this.#before = '';
    this.#buffer = lineStart;
    this.#from = 0;
    this.#next = 0;
    this.#scanned = lineStart.length;
  }
}
