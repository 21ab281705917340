import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build, type Rolldown } from 'vite';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

const maxBytes = { brotli: 90 * 1000, gzip: 96 * 1000 };
let files: Map<string, string | Uint8Array>;

beforeAll(async () => {
  // As in `vite build`: otherwise JSX has the positions of its source.
  vi.stubEnv('NODE_ENV', 'production');
  const built = await build({ root: `${import.meta.dirname}/..`, logLevel: 'silent', build: { write: false } });
  const { output } = built as Rolldown.RolldownOutput;
  files = new Map(output.map((file) => [file.fileName, file.type === 'chunk' ? file.code : file.source]));
});
afterAll(() => void vi.unstubAllEnvs());

test('all files together are less than 90 kB with Brotli, and 96 kB with gzip', () => {
  const contents = [...files.values()];
  const sizeBy = (compress: (content: string | Uint8Array) => Buffer) =>
    contents.reduce((sum, content) => sum + compress(content).length, 0);
  // As in `precompress`.
  expect(sizeBy((content) => gzipSync(content, { level: 9 }))).toBeLessThan(maxBytes.gzip);
  expect(sizeBy(brotliCompressSync)).toBeLessThan(maxBytes.brotli);
});

test('the page has no inline script or style: the content security policy forbids both', () => {
  const page = String(files.get('index.html'));
  expect(page).toMatch(/<script type="module"[^>]* src="\/-\/assets\//);
  expect(page).not.toMatch(/<script(?![^>]* src=)|<style|\son\w+=|\sstyle=|data:/);
});

test('everything but the page has a hash in its name', () => {
  const others = [...files.keys()].filter((name) => name !== 'index.html');
  expect(others.length).toBeGreaterThan(1);
  for (const name of others) expect(name).toMatch(/^-\/assets\/[\w-]+-[\w-]{8}\.(js|css|svg)$/);
});
