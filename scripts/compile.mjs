// Compiles all packages that Node.js runs to JavaScript in their dist/, with Oxc, which removes types without checking
// them: `make lint` checks. Compiles changed files, and removes files without a source. From the compiled code it
// generates libs/service/setting-names.json, by which services detect mistyped settings.
import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'rolldown/utils';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const settingNames = 'libs/service/setting-names.json';
if (import.meta.main) compileChanged();

/** Throws an Error for invalid TypeScript. */
export function compileChanged() {
  const launched = programs();
  const folders = globSync('{proto,cli,libs/*,services/*}/src').map(dirname);
  const files = folders.flatMap((folder) => filesOf(folder, new Set(launched)));
  const changed = files.filter(
    ({ source, output }) => modified(output) < Math.max(modified(source), modified(import.meta.filename)),
  );
  // A bundle of older code must not run.
  if (changed.length > 0)
    for (const file of launched) rmSync(dirname(bundleOf(file)), { recursive: true, force: true });
  for (const { source, output } of changed) compile(source, output);
  for (const file of launched.filter((one) => modified(one) < modified(import.meta.filename)))
    writeFileSync(file, launcher(basename(file)));
  const outputs = new Set([...launched, ...files.flatMap(({ output }) => [output, `${output}.map`])]);
  const written = globSync('{proto,cli,libs/*,services/*}/dist/**/*.*', { exclude: ['**/bundle/**'] });
  // Also what an interrupted bundler left.
  for (const file of written) if (!outputs.has(file)) rmSync(file, { recursive: true, force: true });
  if (modified(settingNames) < Math.max(...files.map(({ output }) => modified(output)))) writeSettingNames();
}

/** The programs that Node.js starts: each has a bundle (bundle.mjs). */
export function programs() {
  const sources = globSync(['services/*/src/{,*/}main.ts', 'libs/system/src/{run,*-main}.ts', 'cli/src/main.ts']);
  return sources.map(compiledOf);
}

/** The compiled source of a program, which imports all modules individually. */
export function modulesOf(program) {
  return program.replace(/\.js$/, '.modules.js');
}

/** The bundle of a program. */
export function bundleOf(program) {
  return join(dirname(program), 'bundle', basename(program));
}

/** The launcher starts the bundle, or the program itself: tracing and `node --watch` need its modules. */
function launcher(name) {
  return `import { existsSync } from 'node:fs';

const needsModules = process.env.OTEL_EXPORTER_OTLP_ENDPOINT || process.env.WATCH_REPORT_DEPENDENCIES;
const bundle = new URL('bundle/${name}', import.meta.url);
await import(!needsModules && existsSync(bundle) ? bundle : './${modulesOf(name)}');
`;
}

function compiledOf(source) {
  return source.replace('/src/', '/dist/').replace(/ts$/, 'js');
}

/** Replaces the file atomically: a service that starts meanwhile reads the old content or the new one. */
function writeSettingNames() {
  writeFileSync(`${settingNames}.new`, execFileSync(process.execPath, ['scripts/settings-page.mjs', 'names']));
  renameSync(`${settingNames}.new`, settingNames);
}

function filesOf(folder, launched) {
  const names = globSync('**/*.ts', { cwd: join(folder, 'src') }).filter((name) => !/\.(test|fixture)\.ts$/.test(name));
  return names.map((name) => {
    const source = join(folder, 'src', name);
    const compiled = compiledOf(source);
    return { source, output: launched.has(compiled) ? modulesOf(compiled) : compiled };
  });
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
