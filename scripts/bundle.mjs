// Bundles the modules of each program and of its packages into a few files in dist/bundle/: the program starts with a
// third less CPU (ADR 0073). Run it after compile.mjs. Arguments: folders, for example libs/system; default: all with
// programs.
import { renameSync, rmSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { bundleOf, modified, modulesOf, programs } from './compile.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const folders = process.argv.slice(2);
const newest = Math.max(...['package-lock.json', 'scripts/compile.mjs', import.meta.filename].map(modified));

for (const [folder, files] of Map.groupBy(programs(), dirname)) {
  if (files.every((file) => modified(bundleOf(file)) >= newest)) continue;
  // Also removes outdated bundles of other folders, because they must not run.
  rmSync(dirname(bundleOf(files[0])), { recursive: true, force: true });
  if (folders.length === 0 || folders.some((one) => folder.startsWith(`${one}/`))) await bundle(files);
}

async function bundle(files) {
  const target = dirname(bundleOf(files[0]));
  const build = await rolldown({
    input: files.map(modulesOf),
    platform: 'node',
    logLevel: 'silent',
    // Rolldown cannot bundle UMD modules; packages with such modules have others, too.
    resolve: { mainFields: ['module', 'main'] },
    // They read files in their own folders.
    external: [/^@opentelemetry\/(?!api)/, '@grpc/reflection'],
    plugins: [{ name: 'own-urls', transform: (code, id) => withUrl(code, id, target) }],
  });
  const fresh = `${target}.new`;
  await build.write({ dir: fresh, format: 'esm', entryFileNames: ({ name }) => name.replace('.modules', '.js') });
  renameSync(fresh, target);
}

/** Our modules locate files and threads relative to themselves. */
function withUrl(code, id, target) {
  if (id.includes('/node_modules/') || !code.includes('import.meta.url')) return undefined;
  return code.replaceAll('import.meta.url', `new URL(${JSON.stringify(relative(target, id))}, import.meta.url).href`);
}
