// Writes the JavaScript of all packages that Node.js runs to their dist/, with Oxc, which removes types without checking
// them: `make lint` checks. Compiles what changed, and removes what no longer has a source. From the compiled code it
// makes libs/service/setting-names.json, by which services recognise mistyped settings.
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'rolldown/utils';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const settingNames = 'libs/service/setting-names.json';

const plans = globSync('{proto,cli,libs/*,services/*}/src').map((folder) => plan(dirname(folder)));
const stale = plans.flatMap((one) => one.stale);
const orphans = plans.flatMap((one) => one.orphans);
// Until all is compiled there are no names, so that an interrupted run makes them the next time.
if (stale.length + orphans.length > 0) rmSync(settingNames, { force: true });
for (const file of orphans) rmSync(file);
for (const [source, output] of stale) compile(source, output);
if (!existsSync(settingNames)) {
  writeFileSync(settingNames, execFileSync(process.execPath, ['scripts/settings-page.mjs', 'names']));
}

/** Sources of a package that changed, with their outputs, and the outputs that have no source. */
function plan(folder) {
  const names = globSync('**/*.ts', { cwd: join(folder, 'src') }).filter((name) => !/\.(test|fixture)\.ts$/.test(name));
  const files = names.map((name) => [join(folder, 'src', name), join(folder, 'dist', name.replace(/ts$/, 'js'))]);
  const outputs = new Set(files.flatMap(([, output]) => [output, `${output}.map`]));
  return {
    stale: files.filter(
      ([source, output]) => modified(output) < Math.max(modified(source), modified(import.meta.filename)),
    ),
    orphans: globSync(join(folder, 'dist/**/*.*')).filter((file) => !outputs.has(file)),
  };
}

/** Milliseconds since 1970; 0 for a file that does not exist. */
function modified(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function compile(source, output) {
  const { code, map, errors } = transformSync(relative(dirname(output), source), readFileSync(source, 'utf8'), {
    tsconfig: false,
    target: 'esnext',
    sourcemap: true,
    typescript: { onlyRemoveTypeImports: true },
  });
  if (errors.length > 0) throw new Error(`${source}: ${errors.map(({ message }) => message).join('\n')}`);
  mkdirSync(dirname(output), { recursive: true });
  writeFileSync(`${output}.map`, JSON.stringify(map));
  writeFileSync(output, `${code}//# sourceMappingURL=${basename(output)}.map\n`);
}
