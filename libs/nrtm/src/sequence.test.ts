import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readSequence, type SequenceBounds, SequenceFault, sequenceRecord, unpack } from './sequence.js';

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(bytes: Buffer, bounds?: SequenceBounds, size = 7): Promise<unknown[]> {
  const records = [];
  for await (const some of readSequence(inPieces(bytes, size), bounds)) records.push(...some);
  return records;
}

async function collected(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

function unpacked(bytes: Buffer, bounds?: SequenceBounds): Promise<Buffer> {
  return collected(unpack(inPieces(bytes, 1_000), bounds));
}

const records = [{ object: 'route: 192.0.2.0/24\n' }, { object: 'descr: Zürich\u001e €\n' }, { a: '' }];
const file = Buffer.from(records.map(sequenceRecord).join(''));

test.each([1, 2, 7, 30, 1_000])('what is written is read, in pieces of %i bytes', async (size) => {
  expect(await read(file, {}, size)).toEqual(records);
});

test('an empty file has no records', async () => {
  expect(await read(Buffer.alloc(0))).toEqual([]);
});

test.each([
  ['text before the first record', Buffer.concat([Buffer.from(' '), file]), 'begin'],
  ['a cut record', file.subarray(0, -4), 'cut off'],
  ['a record without its line feed', file.subarray(0, -1), 'cut off'],
  ['a cut record in the middle', Buffer.from('\u001e{"a":\u001e{}\n'), 'cut off'],
  ['no JSON', Buffer.from('\u001e{"a"}\n'), 'JSON'],
  ['two texts in a record', Buffer.from('\u001e{} {}\n'), 'JSON'],
  ['an empty record', Buffer.from('\u001e\n'), 'JSON'],
  ['another encoding', Buffer.from('\u001e{"a":"\xe9"}\n', 'latin1'), 'UTF-8'],
])('%s is a fault', async (_, bytes, fault) => {
  for (const size of [1, 1_000]) {
    await expect(read(bytes, {}, size)).rejects.toThrow(SequenceFault);
    await expect(read(bytes, {}, size)).rejects.toThrow(fault);
  }
});

test.each([1, 100, 10_000])('long records are a fault, in pieces of %i bytes', async (size) => {
  const bytes = Buffer.from(sequenceRecord({ a: 'x'.repeat(1_000) }) + sequenceRecord({}));
  await expect(read(bytes, { maxRecord: 1_000 }, size)).rejects.toThrow('longer than 1000 bytes');
  expect(await read(bytes, { maxRecord: 1_020 }, size)).toHaveLength(2);
});

test('long files are a fault', async () => {
  await expect(read(file, { maxUnpacked: 50 })).rejects.toThrow('longer than 50 bytes');
  await expect(unpacked(gzipSync(file), { maxUnpacked: 50 })).rejects.toThrow('more than 50 bytes');
});

test('a gzipped file is unpacked, also one of several parts', async () => {
  expect(await unpacked(Buffer.concat([gzipSync(file), gzipSync(file)]))).toEqual(Buffer.concat([file, file]));
});

test('a bomb is refused by its ratio, long before its end', async () => {
  const bomb = gzipSync(Buffer.alloc(200 << 20));
  let bytes = 0;
  const reading = async () => {
    for await (const chunk of unpack(inPieces(bomb, 1_000))) bytes += chunk.length;
  };
  await expect(reading()).rejects.toThrow('100 times its length');
  expect(bytes).toBeLessThan(20 << 20);
});

test.each([
  ['a cut file', gzipSync(file).subarray(0, -9)],
  ['a flipped byte', Buffer.from(gzipSync(file)).fill(0xff, 20, 21)],
  ['no gzip', file],
])('%s cannot be unpacked', async (_, bytes) => {
  await expect(unpacked(bytes)).rejects.toThrow(SequenceFault);
});

test('what breaks the source of the bytes breaks the reader', async () => {
  async function* broken(): AsyncGenerator<Buffer> {
    yield gzipSync(file).subarray(0, 20);
    throw new Error('The connection broke');
  }
  await expect(collected(unpack(broken()))).rejects.toThrow('The connection broke');
});
