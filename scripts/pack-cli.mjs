// Packs the command line program for other machines: `node scripts/pack-cli.mjs [DIRECTORY]` (default: cli/dist-package)
// writes cadastre-VERSION.tgz. All code is in one file, so that `npm install` needs neither this checkout nor a
// registry. Needs a build; prints the path of the package. With RELEASE_HOME (scripts/release), the package names the
// repository.
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { licenceText } from './licence-text.mjs';
import { npmPack } from './npm-pack.mjs';
import { packageLinks, withAbsoluteLinks } from './release/step.mjs';

const checkout = fileURLToPath(new URL('..', import.meta.url));
const isRelease = process.env.RELEASE_HOME !== undefined;
const target = resolve(process.argv[2] ?? join(checkout, 'cli/dist-package'));
const staging = await mkdtemp(join(tmpdir(), 'cadastre-pack-'));

try {
  const modules = await bundle(join(staging, 'dist/cadastre.mjs'));
  await writeFile(join(staging, 'THIRD-PARTY-LICENSES.txt'), licences(modules));
  await writeFile(join(staging, 'package.json'), `${JSON.stringify(await manifest(), null, 2)}\n`);
  const readme = await readFile(join(checkout, 'cli/README.md'), 'utf8');
  await writeFile(join(staging, 'README.md'), isRelease ? withAbsoluteLinks(readme, 'cli') : readme);
  await copyFile(join(checkout, 'LICENSE'), join(staging, 'LICENSE'));
  await mkdir(target, { recursive: true });
  process.stdout.write(`${npmPack(staging, target)}\n`);
} finally {
  await rm(staging, { recursive: true, force: true });
}

/** Writes the program as one file; returns its source files. */
async function bundle(file) {
  const build = await rolldown({
    input: join(checkout, 'cli/dist/main.modules.js'),
    platform: 'node',
    logLevel: 'silent',
    // Our modules only export, so the bundle omits those of servers with all their imports.
    treeshake: { moduleSideEffects: (id) => id.includes('/node_modules/') || id.endsWith('/cli/dist/main.modules.js') },
    // CommonJS packages use it to locate their own files.
    transform: { define: { __dirname: 'import.meta.dirname' } },
  });
  const { output } = await build.write({
    file,
    format: 'esm',
    codeSplitting: false,
    banner: '#!/usr/bin/env node',
  });
  return output.flatMap((chunk) => chunk.moduleIds ?? []);
}

async function manifest() {
  const { version, license } = JSON.parse(await readFile(join(checkout, 'cli/package.json'), 'utf8'));
  const { engines, description } = JSON.parse(await readFile(join(checkout, 'package.json'), 'utf8'));
  return {
    name: 'cadastre',
    version,
    description: `${description}: the command line program of its operators`,
    license,
    type: 'module',
    bin: { cadastre: 'dist/cadastre.mjs' },
    files: ['dist', 'THIRD-PARTY-LICENSES.txt'],
    engines,
    ...(isRelease ? packageLinks('cli') : {}),
  };
}

/** The licences of the third-party packages of these files. */
function licences(modules) {
  const folders = new Set(modules.map(packageFolder).filter((folder) => folder !== undefined));
  const texts = [...folders].sort().map(licenceText);
  return `This program contains the following packages.\n\n${texts.join('\n')}`;
}

function packageFolder(file) {
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0];
}
