/** Maximum length of a line, without its end, in bytes: that of the RIPE whois server. */
export const maxLineBytes = 1_024;

const lineFeed = Buffer.from('\n');
const carriageReturn = 13;
/** The bytes of telnet when its user types an interrupt. They end a line, like a line feed. */
const telnetInterrupt = Buffer.from([0xff, 0xf4, 0xff, 0xfd, 0x06]);

/** A line that is longer than `maxLineBytes`. */
export const tooLong = Symbol('a line that is too long');

/** Reads the bytes of a client as lines. Its cost is linear in the number of bytes, whatever they are. */
export function createLineReader() {
  let bytes: Buffer = Buffer.alloc(0);
  let from = 0;
  let lastLine = 0;
  let feeds = marksIn(bytes, lineFeed);
  let interrupts = marksIn(bytes, telnetInterrupt);
  const take = (all: Buffer) => {
    bytes = all;
    from = 0;
    feeds = marksIn(bytes, lineFeed);
    interrupts = marksIn(bytes, telnetInterrupt);
  };
  return {
    // The rest of a line is short, or the line would be too long.
    /** Adds the next bytes of the client. The lines before must have been read. */
    add: (more: Buffer): void => take(bytes.length === 0 ? more : Buffer.concat([bytes, more])),
    /** Ends the current line: the client has closed its side. */
    end(): void {
      if (bytes.length > 0) take(Buffer.concat([bytes, lineFeed]));
    },
    /**
     * The next line that ends with LF or CRLF, without that end; undefined when none is complete. Reads no further, so
     * that other work can run between two lines. After `tooLong` there are no more.
     */
    next(): string | typeof tooLong | undefined {
      const feed = feeds.from(from);
      const interrupt = interrupts.from(from);
      const end = Math.min(feed, interrupt);
      const last = Math.min(end, bytes.length);
      // A carriage return before the end does not count.
      if (last - from > maxLineBytes && !(last - from === maxLineBytes + 1 && bytes[last - 1] === carriageReturn)) {
        return tooLong;
      }
      if (end === none) {
        // A client that waits in the middle of a line holds only that line.
        take(Buffer.from(bytes.subarray(from)));
        return undefined;
      }
      const isReturn = end > from && bytes[end - 1] === carriageReturn;
      const line = textOf(bytes.subarray(from, isReturn ? end - 1 : end));
      lastLine = from;
      from = end + (interrupt < feed ? telnetInterrupt.length : lineFeed.length);
      return line;
    },
    /** The last line again, with its end, and all bytes after it. */
    unread: (): Buffer => bytes.subarray(lastLine),
  };
}

const none = Number.POSITIVE_INFINITY;

/** Finds a mark in bytes, from positions that only grow: remembers what it found ahead. */
function marksIn(bytes: Buffer, mark: Buffer) {
  let found = -1;
  return {
    /** The first mark at a position or after it; infinity for none. */
    from(position: number): number {
      if (found < position) {
        const next = bytes.indexOf(mark, position);
        found = next < 0 ? none : next;
      }
      return found;
    },
  };
}

/** Lines are UTF-8, or else latin-1. */
function textOf(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  return text.includes('\ufffd') ? bytes.toString('latin1') : text;
}
