/** Rows in PostgreSQL's binary COPY format. */
export type CopyRows = ReturnType<typeof createCopyRows>;

/** The bytes before the first row of a COPY. */
export const copyHeader = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
/** The bytes after its last row. */
export const copyTrailer = Buffer.from([0xff, 0xff]);

const initialSize = 1024 * 1024;
const int8Oid = 20;
const rangeLowerIncluded = 2;
/** Milliseconds from 1970 to 2000, PostgreSQL's epoch. */
const epochMs = 946_684_800_000;
const high32 = 2 ** 32;

export function createCopyRows() {
  let buffer = Buffer.allocUnsafeSlow(initialSize);
  let view = viewOf(buffer);
  let at = 0;

  /** Ensures space for `bytes` more bytes. */
  function need(bytes: number): void {
    if (at + bytes <= buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(2 * buffer.length, at + bytes));
    buffer.copy(larger, 0, 0, at);
    buffer = larger;
    view = viewOf(buffer);
  }

  function write16(value: number): void {
    view.setInt16(at, value);
    at += 2;
  }

  function write32(value: number): void {
    view.setInt32(at, value);
    at += 4;
  }

  function write64(value: number): void {
    const high = Math.floor(value / high32);
    write32(high);
    write32(value - high * high32);
  }

  function writeBig64(value: bigint): void {
    view.setBigInt64(at, value);
    at += 8;
  }

  function writeText(value: string): void {
    need(4 + 3 * value.length);
    const length = buffer.write(value, at + 4, 'utf8');
    write32(length);
    at += length;
  }

  function writeNumeric(decimal: string): void {
    const digits = numericDigits(decimal);
    write32(8 + 2 * digits.length);
    write16(digits.length);
    write16(Math.max(digits.length - 1, 0)); // weight of the first digit
    write16(0); // positive
    write16(0); // no decimals
    for (const digit of digits) write16(digit);
  }

  return {
    /** Starts a row with this number of columns; add their values in order. */
    row(columns: number): void {
      need(2);
      write16(columns);
    },
    int16(value: number): void {
      need(6);
      write32(2);
      write16(value);
    },
    int32(value: number): void {
      need(8);
      write32(4);
      write32(value);
    },
    /** A bigint column from a whole number below 2^53. */
    int64(value: number): void {
      need(12);
      write32(8);
      write64(value);
    },
    timestamp(value: Date): void {
      need(12);
      write32(8);
      write64((value.getTime() - epochMs) * 1000);
    },
    /** A column of type text or json. */
    text: writeText,
    empty(): void {
      need(4);
      write32(-1);
    },
    /** A bigint[] column from unsigned 32-bit halves. */
    int64Array(values: readonly { readonly high: number; readonly low: number }[]): void {
      need(24 + 12 * values.length);
      write32(values.length === 0 ? 12 : 20 + 12 * values.length);
      write32(values.length === 0 ? 0 : 1); // dimensions
      write32(0); // no nulls
      write32(int8Oid);
      if (values.length === 0) return;
      write32(values.length);
      write32(1); // index of the first element
      for (const { high, low } of values) {
        write32(8);
        write32(high);
        write32(low);
      }
    },
    /** A range with the lower bound included and the upper one excluded. */
    int64Range(lower: bigint, upper: bigint): void {
      need(29);
      write32(25);
      view.setInt8(at++, rangeLowerIncluded);
      write32(8);
      writeBig64(lower);
      write32(8);
      writeBig64(upper);
    },
    numericRange(lower: bigint, upper: bigint): void {
      need(100);
      const start = at;
      at += 4;
      view.setInt8(at++, rangeLowerIncluded);
      writeNumeric(String(lower));
      writeNumeric(String(upper));
      view.setInt32(start, at - start - 4);
    },
    /** Number of bytes so far, which is where the next row starts. */
    size: (): number => at,
    /** All rows, in memory of their own. */
    bytes: (): Uint8Array<ArrayBuffer> => new Uint8Array(buffer.subarray(0, at)),
  };
}

function viewOf(buffer: Buffer): DataView {
  return new DataView(buffer.buffer, buffer.byteOffset, buffer.length);
}

/** The base-10,000 digits of a number, most significant first; none for zero. */
function numericDigits(decimal: string): number[] {
  if (decimal === '0') return [];
  const padded = decimal.padStart(Math.ceil(decimal.length / 4) * 4, '0');
  return Array.from({ length: padded.length / 4 }, (_, index) => Number(padded.slice(4 * index, 4 * index + 4)));
}
