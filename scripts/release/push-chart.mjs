// push-chart.mjs: pushes the packed chart (chart.mjs) to oci://RELEASE_REGISTRY/charts, and writes its name and digest
// to chart.txt. Log in before: `helm registry login` or `docker login`.
//
//   RELEASE_REGISTRY     for example ghcr.io/example
//   RELEASE_PLAIN_HTTP   1: the registry has no TLS, for a trial
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { helmEnvironment, helmProgram } from '../helm.mjs';
import { currentVersion, imageRegistry, Refusal, releaseDirectory, runStep } from './step.mjs';

await runStep(import.meta.filename, () => {
  const directory = releaseDirectory();
  const charts = `${imageRegistry()}/charts`;
  const args = ['push', join(directory, `cadastre-chart-${currentVersion()}.tgz`), `oci://${charts}`];
  if (process.env.RELEASE_PLAIN_HTTP === '1') args.push('--plain-http');
  const { status, stdout, stderr } = spawnSync(helmProgram(), args, { env: helmEnvironment(), encoding: 'utf8' });
  const [, digest] = /^Digest: (sha256:[0-9a-f]{64})$/m.exec(stdout + stderr) ?? [];
  if (status !== 0 || digest === undefined) throw new Refusal(`helm cannot push the chart: ${stdout}${stderr}`.trim());
  const line = `${charts}/cadastre@${digest}\n`;
  writeFileSync(join(directory, 'chart.txt'), line);
  process.stdout.write(line);
});
