import { describe, expect, it } from 'vitest';
import { createResponseReader } from './response-reader.js';

const response = (status: number, body: string) =>
  `HTTP/1.1 ${status} Text\r\nContent-Type: text/plain\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

function statusesOf(chunks: readonly string[]): number[] {
  const statuses: number[] = [];
  const read = createResponseReader((status) => statuses.push(status));
  for (const chunk of chunks) read(Buffer.from(chunk));
  return statuses;
}

describe('createResponseReader', () => {
  it('reports each response once, however its bytes are split', () => {
    const text = response(200, 'body\r\n\r\nwith a line') + response(404, '');
    const end = response(200, 'body\r\n\r\nwith a line').length;
    for (let cut = 1; cut < end; cut += 1) {
      expect(statusesOf([text.slice(0, cut), text.slice(cut, end), text.slice(end)])).toEqual([200, 404]);
    }
    expect(statusesOf([...response(200, 'abc')])).toEqual([200]);
  });

  it('does not report a response before its last byte', () => {
    expect(statusesOf([response(200, 'abc').slice(0, -1)])).toEqual([]);
  });

  it('refuses what it cannot measure', () => {
    expect(() => statusesOf(['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'])).toThrow('content-length');
  });
});
