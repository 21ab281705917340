import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { packBlock, packedFile } from './packed-file.js';

const texts = [['one\n'], ['one\n', '', 'two\n'], [], ['x'.repeat(3_000_000), 'é'.repeat(9), 'y'.repeat(2_000_000)]];

test.each(texts)('blocks become one gzip file: %#', async (...blocks) => {
  let bytes = Buffer.alloc(0);
  const file = packedFile(async (content) => {
    bytes = await buffer(content);
  });
  for (const block of blocks) await file.add(await packBlock(Buffer.from(block, 'latin1')));
  expect(await file.end()).toBe(createHash('sha256').update(bytes).digest('hex'));
  expect(gunzipSync(bytes).toString('latin1')).toBe(blocks.join(''));
  // One member, because some readers stop after the first one.
  expect(bytes.indexOf(Buffer.from([0x1f, 0x8b, 8]), 1)).toBe(-1);
});

test('what breaks the store breaks the file', async () => {
  const noise = await packBlock(Buffer.from(crypto.getRandomValues(new Uint8Array(60_000))));
  const file = packedFile(async () => {
    throw new Error('the disk is full');
  });
  const writing = async () => {
    for (let n = 0; n < 100; n++) await file.add(noise);
    await file.end();
  };
  await expect(writing()).rejects.toThrow('the disk is full');
});
