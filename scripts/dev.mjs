// Runs the registry of `make run` and updates it: when a source changes, it builds what depends on it, and Node.js
// restarts the services that have loaded it (node --watch). Arguments: the targets for `make`. Changes of libs/system
// need a restart of this program.
import { spawn, spawnSync } from 'node:child_process';
import { utimesSync, watch } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { programNames } from '../libs/system/dist/run-settings.js';
import { compileChanged, modified } from './compile.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const page = 'web/dist/index.html';
const source = /(^|\/)(src\/.*(?<!\.(test|fixture))\.(tsx?|css|svg)|.*\.proto)$/;
const generated = /^(proto\/src\/gen|clients)\//;

const flags = [process.env.CADASTRE_NODE_FLAGS, ...programNames.map((name) => `${name}=--watch`)].filter(Boolean);
const env = { ...process.env, CADASTRE_NODE_FLAGS: flags.join(',') };
const system = spawn(process.execPath, ['libs/system/dist/run.js'], { stdio: 'inherit', env });
system.on('exit', (code) => process.exit(code ?? 1));
process.on('SIGTERM', () => system.kill());
process.on('SIGINT', () => undefined); // Ctrl-C also reaches the system, which stops itself.

let waiting;
for (const folder of ['proto', 'libs', 'services', 'web']) {
  watch(folder, { recursive: true }, (_, name) => {
    if (!source.test(name) || generated.test(`${folder}/${name}`)) return;
    clearTimeout(waiting);
    waiting = setTimeout(build, 50, `${folder}/${name}`);
  });
}

function build(file) {
  console.log(`${file} changed`);
  const before = modified(page);
  try {
    compileChanged(); // Faster than make.
  } catch (error) {
    console.error(error.message);
    return;
  }
  spawnSync('make', ['--silent', '--jobs=2', ...process.argv.slice(2)], { stdio: 'inherit' });
  // The gateway reads the pages at its start.
  if (modified(page) > before) utimesSync('services/gateway/dist/main.js', new Date(), new Date());
}
