import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { createCompressor } from './compress.js';

it('compresses 64 answers at a time, and sends further ones as they are', async () => {
  const compressor = createCompressor();
  const body = Buffer.alloc(10_000, 'x');
  const streams = Array.from({ length: 63 }, () => compressor.stream(new PassThrough(), 'br'));
  const whole = compressor.compress(body, 'gzip');
  expect(compressor.codingFor(body, 'gzip')).toBeUndefined();
  expect((await whole).length).toBeLessThan(body.length);
  expect(compressor.codingFor(body, 'gzip')).toBe('gzip');
  const last = compressor.stream(new PassThrough(), 'gzip');
  expect(compressor.codingFor(new PassThrough(), 'gzip')).toBeUndefined();
  for (const stream of [...streams, last]) stream.destroy();
  await expect.poll(() => compressor.codingFor(body, 'gzip')).toBe('gzip');
});
