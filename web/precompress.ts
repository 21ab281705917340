import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

/** Writes every text file of the build also as .br and .gz, for the gateway to choose from. */
export function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    async writeBundle({ dir = '' }, bundle) {
      const files = Object.values(bundle).filter(({ fileName }) => /\.(html|js|css|svg)$/.test(fileName));
      await Promise.all(
        files.map(async (file) => {
          const content = file.type === 'chunk' ? file.code : file.source;
          await writeFile(join(dir, `${file.fileName}.br`), await promisify(brotliCompress)(content));
          await writeFile(join(dir, `${file.fileName}.gz`), await promisify(gzip)(content, { level: 9 }));
        }),
      );
    },
  };
}
