/** Bound on a line, without its end, in bytes: that of the RIPE whois server. */
export const mostLineBytes = 1_024;

const lineFeed = 10;
const carriageReturn = 13;
/** What telnet sends when its user types an interrupt. It ends a line, as a line feed does. */
const telnetInterrupt = Buffer.from([0xff, 0xf4, 0xff, 0xfd, 0x06]);

/** What a client has sent. */
export interface Received {
  /** Whole lines, without their ends. */
  readonly lines: readonly string[];
  /** The beginning of the next line. */
  readonly rest: Buffer;
  /** Whether a line that is too long follows the lines; there is no rest then. */
  readonly isTooLong: boolean;
}

/** Splits bytes into lines that end with LF or CRLF. */
export function splitLines(bytes: Buffer): Received {
  const lines: string[] = [];
  const withInterrupts = bytes.includes(telnetInterrupt);
  let from = 0;
  while (from < bytes.length) {
    const feed = bytes.indexOf(lineFeed, from);
    const interrupt = withInterrupts ? bytes.indexOf(telnetInterrupt, from) : -1;
    const isInterrupt = interrupt >= 0 && (feed < 0 || interrupt < feed);
    const end = isInterrupt ? interrupt : feed;
    const last = end < 0 ? bytes.length : end;
    // A carriage return before the end does not count.
    if (last - from > mostLineBytes && !(last - from === mostLineBytes + 1 && bytes[last - 1] === carriageReturn)) {
      return { lines, rest: bytes.subarray(0, 0), isTooLong: true };
    }
    if (end < 0) break;
    const isReturn = end > from && bytes[end - 1] === carriageReturn;
    lines.push(textOf(bytes.subarray(from, isReturn ? end - 1 : end)));
    from = end + (isInterrupt ? telnetInterrupt.length : 1);
  }
  return { lines, rest: bytes.subarray(from), isTooLong: false };
}

/** Lines are UTF-8, or else latin-1. */
function textOf(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  return text.includes('\ufffd') ? bytes.toString('latin1') : text;
}
