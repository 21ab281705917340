const lineEnd = '\r\n';
const headEnd = '\r\n\r\n';
const nothing: Buffer = Buffer.alloc(0);

/**
 * Reads the responses of one connection with sequential requests. Calls `onResponse` with the status of each one at its
 * last byte. Supports the HTTP/1.1 of the benchmarked servers: bodies with a length, and chunks without trailers.
 */
export function createResponseReader(onResponse: (status: number) => void): (data: Buffer) => void {
  let pending = nothing;
  let expected: 'head' | 'chunk' | 'body' = 'head';
  let status = 0;
  let chunked = false;
  /** Bytes to skip: the rest of a body, or of a chunk with its line end. */
  let skip = 0;

  /** Reads one line, or the head; undefined when it is incomplete. Then the rest waits for more data. */
  const readTo = (end: string, data: Buffer, from: number): string | undefined => {
    const at = data.indexOf(end, from);
    if (at < 0) pending = data.subarray(from);
    return at < 0 ? undefined : data.toString('latin1', from, at);
  };

  return (received) => {
    const data = pending.length === 0 ? received : Buffer.concat([pending, received]);
    pending = nothing;
    for (let at = 0; at < data.length; ) {
      if (expected === 'body') {
        const skipped = Math.min(skip, data.length - at);
        at += skipped;
        skip -= skipped;
        if (skip > 0) return;
        expected = chunked ? 'chunk' : 'head';
        if (!chunked) onResponse(status);
        continue;
      }
      const end = expected === 'head' ? headEnd : lineEnd;
      const text = readTo(end, data, at);
      if (text === undefined) return;
      at += text.length + end.length;
      const isHead = expected === 'head';
      if (isHead) status = Number(text.slice(9, 12));
      const length = isHead ? contentLength(text) : Number.parseInt(text, 16);
      chunked = length === undefined || (!isHead && length > 0);
      if (isHead && chunked) {
        expected = 'chunk';
        continue;
      }
      skip = (length ?? 0) + (isHead ? 0 : lineEnd.length);
      expected = 'body';
      if (skip === 0) {
        expected = 'head';
        onResponse(status);
      }
    }
  };
}

/** Undefined for a body in chunks. */
function contentLength(head: string): number | undefined {
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length !== undefined) return Number(length);
  if (/\r\ntransfer-encoding: *chunked/i.test(head)) return undefined;
  throw new Error(`A response without the length of its body cannot be measured:\n${head}`);
}
