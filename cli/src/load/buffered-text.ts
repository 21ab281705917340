const lineEnd = 0x0a;

/** A piece of text. */
interface Piece {
  readonly bytes: Buffer;
  /** The number of the line with its first byte, from 1. */
  readonly line: number;
  /** The number of line ends in it. */
  readonly lineEnds: number;
  /** Whether it starts at the start of that line. */
  readonly startsLine: boolean;
}

/** Text that was read and that a reader may need again. Readers share it, so one can replace another. */
export interface BufferedText {
  /** Whether the text from a line on can still be read. */
  has(line: number): boolean;
  /** The text from a line on. */
  from(line: number): AsyncGenerator<Buffer>;
  /** Drops the text before a line. */
  forget(line: number): void;
}

/** Stores the last `max` bytes of the pieces that readers have read, and always the last piece. */
export function keepText(pieces: AsyncIterator<Buffer>, max: number): BufferedText {
  const buffered: Piece[] = [];
  let [dropped, bytes, line] = [0, 0, 1];
  let startsLine = true;
  let ended = false;
  let reading: Promise<void> | undefined;

  async function readOn(): Promise<void> {
    const next = await pieces.next();
    if (next.done) {
      ended = true;
      return;
    }
    const piece = { bytes: next.value, line, lineEnds: countLineEnds(next.value), startsLine };
    line += piece.lineEnds;
    startsLine = piece.bytes.length === 0 ? startsLine : piece.bytes.at(-1) === lineEnd;
    bytes += piece.bytes.length;
    buffered.push(piece);
    while (bytes > max && buffered.length > 1) drop();
  }

  /** An abandoned reader may still wait for the same piece. */
  function more(): Promise<void> {
    reading ??= readOn().finally(() => {
      reading = undefined;
    });
    return reading;
  }

  function drop(): void {
    bytes -= buffered.shift()!.bytes.length;
    dropped++;
  }

  function has(wanted: number): boolean {
    const first = buffered[0];
    if (first === undefined) return dropped === 0 || wanted >= line;
    return wanted > first.line || (wanted === first.line && first.startsLine);
  }

  async function* from(wanted: number): AsyncGenerator<Buffer> {
    let started = false;
    for (let at = dropped; ; at++) {
      while (at === dropped + buffered.length && !ended) await more();
      const piece = buffered[at - dropped];
      if (piece === undefined) return;
      const start = started ? 0 : startOf(piece, wanted);
      if (start === undefined) continue;
      started = true;
      if (start < piece.bytes.length) yield piece.bytes.subarray(start);
    }
  }

  function forget(before: number): void {
    while (buffered.length > 1 && startOf(buffered[0]!, before) === undefined && buffered[0]!.line < before) drop();
  }

  return { has, from, forget };
}

/** The position of the start of a line in a piece; undefined when it is in another one. */
function startOf({ bytes, line, lineEnds, startsLine }: Piece, wanted: number): number | undefined {
  if (wanted < line || wanted > line + lineEnds) return undefined;
  if (wanted === line) return startsLine ? 0 : undefined;
  let at = -1;
  for (let left = wanted - line; left > 0; left--) at = bytes.indexOf(lineEnd, at + 1);
  return at + 1;
}

export function countLineEnds(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(lineEnd); at !== -1; at = bytes.indexOf(lineEnd, at + 1)) count += 1;
  return count;
}
