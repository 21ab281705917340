/** One object of a dump file. */
export interface DumpEntry {
  /** The object's lines with comment lines left out; empty when the object was too large. */
  readonly text: string;
  /** Number of its first line in the file, from 1. */
  readonly line: number;
  /** Its size in characters, when it exceeds the limit. */
  readonly tooLarge?: number;
}

export interface DumpOptions {
  /** Characters; larger objects are reported and skipped. Default 5,000,000. */
  readonly maxObjectSize?: number;
}

const defaultMaxObjectSize = 5_000_000;
const lineFeed = 10;
const carriageReturn = 13;
const hash = 35;
const percent = 37;

/** The objects of a dump file that arrives in chunks cut anywhere. */
export async function* splitDump(chunks: AsyncIterable<string>, options?: DumpOptions): AsyncGenerator<DumpEntry> {
  const splitter = new DumpSplitter(options);
  for await (const chunk of chunks) {
    yield* splitter.push(chunk);
  }
  yield* splitter.end();
}

/**
 * Cuts dump text into objects: blank lines separate them, lines that start with `#` or `%` are skipped.
 * Holds no more than one object and one chunk at a time.
 */
export class DumpSplitter {
  readonly #maxObjectSize: number;
  #buffer = '';
  /** Where the part of the buffer starts that belongs to the present object. */
  #from = 0;
  /** Lines of the present object that precede a skipped comment line. */
  #kept = '';
  /** Start of the first line that was not looked at yet. */
  #next = 0;
  /** Where to look on for the end of that line. */
  #scanned = 0;
  #line = 1;
  #objectLine = 0;
  /** Characters of an oversized object that were thrown away already. */
  #dropped = 0;

  constructor(options: DumpOptions = {}) {
    this.#maxObjectSize = options.maxObjectSize ?? defaultMaxObjectSize;
  }

  /** The objects that this chunk completes. */
  push(chunk: string): DumpEntry[] {
    this.#compact(chunk);
    const entries: DumpEntry[] = [];
    for (;;) {
      const newline = this.#buffer.indexOf('\n', this.#scanned);
      if (newline < 0) {
        this.#scanned = this.#buffer.length;
        this.#dropExcess();
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
    if (this.#objectLine > 0) {
      this.#kept += this.#buffer.slice(this.#from, start);
    }
    this.#from = this.#next;
  }

  #finishObject(end: number, entries: DumpEntry[]): void {
    if (this.#objectLine > 0) {
      const text = this.#kept + this.#buffer.slice(this.#from, end);
      const size = this.#dropped + text.length;
      entries.push(
        size > this.#maxObjectSize
          ? { text: '', line: this.#objectLine, tooLarge: size }
          : { text, line: this.#objectLine },
      );
    }
    this.#from = this.#next;
    this.#kept = '';
    this.#objectLine = 0;
    this.#dropped = 0;
  }

  #compact(chunk: string): void {
    this.#buffer = this.#buffer.slice(this.#from) + chunk;
    this.#next -= this.#from;
    this.#scanned -= this.#from;
    this.#from = 0;
  }

  /** Keeps memory bounded: of comments nothing is kept, of a too large object only its size. */
  #dropExcess(): void {
    const code = this.#buffer.charCodeAt(this.#next);
    if (code === hash || code === percent) {
      this.#buffer = this.#buffer.slice(0, this.#next + 1);
      this.#scanned = this.#buffer.length;
    }
    const size = this.#kept.length + this.#buffer.length - this.#from;
    if (size <= this.#maxObjectSize) {
      return;
    }
    // Two characters of the unfinished line are enough to tell later what kind of line it was.
    const lineStart = this.#buffer.slice(this.#next, this.#next + 2);
    this.#dropped += size - lineStart.length;
    this.#objectLine ||= this.#line;
    this.#kept = '';
    this.#buffer = lineStart;
    this.#from = 0;
    this.#next = 0;
    this.#scanned = lineStart.length;
  }
}
