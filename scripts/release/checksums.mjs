// checksums.mjs: writes SHA256SUMS of all files of the release, for `sha256sum --check`. Run it again when a file is
// added.
import { hash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { releaseDirectory, runStep } from './step.mjs';

/** Texts of the release page, and what is made of the sums. */
const excluded = /^(notes\.md|audit\.md|SHA256SUMS.*)$/;

await runStep(import.meta.filename, () => {
  const directory = releaseDirectory();
  const names = readdirSync(directory).filter((name) => !excluded.test(name));
  const sums = names.sort().map((name) => `${hash('sha256', readFileSync(join(directory, name)))}  ${name}\n`);
  const file = join(directory, 'SHA256SUMS');
  writeFileSync(file, sums.join(''));
  console.log(file);
});
