// Writes the JavaScript of all packages that Node.js runs to their dist/, with Oxc, which removes types without checking
// them: `make lint` checks. Compiles what changed, and removes what no longer has a source. From the compiled code it
// makes libs/service/setting-names.json, by which services recognise mistyped settings.
import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'rolldown/utils';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const settingNames = 'libs/service/setting-names.json';
if (import.meta.main) compileChanged();

/** Throws an Error for what is no TypeScript. */
export function compileChanged() {
  const files = globSync('{proto,cli,libs/*,services/*}/src').map(dirname).flatMap(filesOf);
  for (const { source, output } of files) {
    if (modified(output) < Math.max(modified(source), modified(import.meta.filename))) compile(source, output);
  }
  const outputs = new Set(files.flatMap(({ output }) => [output, `${output}.map`]));
  for (const file of globSync('{proto,cli,libs/*,services/*}/dist/**/*.*')) if (!outputs.has(file)) rmSync(file);
  if (modified(settingNames) < Math.max(...files.map(({ output }) => modified(output)))) writeSettingNames();
}

/** A service that starts meanwhile reads all of the file or nothing. */
function writeSettingNames() {
  writeFileSync(`${settingNames}.new`, execFileSync(process.execPath, ['scripts/settings-page.mjs', 'names']));
  renameSync(`${settingNames}.new`, settingNames);
}

function filesOf(folder) {
  const names = globSync('**/*.ts', { cwd: join(folder, 'src') }).filter((name) => !/\.(test|fixture)\.ts$/.test(name));
  return names.map((name) => ({
    source: join(folder, 'src', name),
    output: join(folder, 'dist', name.replace(/ts$/, 'js')),
  }));
}

/** Milliseconds since 1970; 0 for a file that does not exist. */
export function modified(file) {
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
