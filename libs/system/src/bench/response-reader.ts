const headEnd = Buffer.from('\r\n\r\n');
const nothing: Buffer = Buffer.alloc(0);

/**
 * Reads the responses of one connection with sequential requests. Calls `onResponse` with the status of each one at its
 * last byte. Supports only the HTTP of the benchmarked servers: every body has a length.
 */
export function createResponseReader(onResponse: (status: number) => void): (chunk: Buffer) => void {
  let pending = nothing;
  let status = 0;
  let missing = 0;
  return (chunk) => {
    if (missing > chunk.length) {
      missing -= chunk.length;
      return;
    }
    if (missing > 0) {
      missing = 0;
      onResponse(status);
      return;
    }
    const data = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    const end = data.indexOf(headEnd);
    if (end < 0) {
      pending = data;
      return;
    }
    pending = nothing;
    const head = data.toString('latin1', 0, end);
    status = Number(head.slice(9, 12));
    missing = contentLength(head) - (data.length - end - headEnd.length);
    if (missing === 0) {
      onResponse(status);
    }
  };
}

function contentLength(head: string): number {
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length === undefined) {
    throw new Error(`A response without a content-length cannot be measured:\n${head}`);
  }
  return Number(length);
}
