import { describe, expect, it } from 'vitest';
import { createResponseReader } from './response-reader.ts';

const response = (status: number, body: string) =>
  `HTTP/1.1 ${status} Text\r\nContent-Type: text/plain\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
const inChunks = (status: number, ...chunks: string[]) =>
  `HTTP/1.1 ${status} Text\r\nTransfer-Encoding: chunked\r\n\r\n${[...chunks, '']
    .map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`)
    .join('')}`;

function statusesOf(pieces: readonly string[]): number[] {
  const statuses: number[] = [];
  const read = createResponseReader((status) => statuses.push(status));
  for (const piece of pieces) read(Buffer.from(piece));
  return statuses;
}

describe('createResponseReader', () => {
  it.each([
    ['a length', response(200, 'body\r\n\r\nwith a line')],
    ['chunks', inChunks(200, 'a chunk\r\n\r\n', 'and another chunk of more than 16 bytes')],
  ])('reports each response with %s once, however its bytes are split', (_, first) => {
    const text = first + response(404, '');
    for (let cut = 1; cut < first.length; cut += 1) {
      expect(statusesOf([text.slice(0, cut), text.slice(cut, first.length), text.slice(first.length)])).toEqual([
        200, 404,
      ]);
    }
    expect(statusesOf([...text])).toEqual([200, 404]);
    expect(statusesOf([text])).toEqual([200, 404]);
  });

  it.each([response(200, 'abc'), inChunks(200, 'abc')])('does not report a response before its last byte', (text) => {
    expect(statusesOf([text.slice(0, -1)])).toEqual([]);
  });

  it('rejects responses that it cannot measure', () => {
    expect(() => statusesOf(['HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n'])).toThrow('length');
  });
});
