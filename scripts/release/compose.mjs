// compose.mjs: packs what one host with Docker needs (cadastre-compose-VERSION.tgz): compose.yaml with the released
// images instead of builds, deploy/compose and .env.example.
//
//   RELEASE_REGISTRY   where the images are, for example ghcr.io/example
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { currentVersion, imageRegistry, inStaging, releaseDirectory, runStep } from './step.mjs';

await runStep(import.meta.filename, () => {
  const name = `cadastre-compose-${currentVersion()}`;
  const file = join(releaseDirectory(), `${name}.tgz`);
  inStaging((staging) => {
    const folder = join(staging, name);
    for (const path of ['.env.example', 'LICENSE', 'deploy/compose']) {
      cpSync(path, join(folder, path), { recursive: true });
    }
    const compose = readFileSync('compose.yaml', 'utf8')
      .replaceAll(/^ {4}build: .*\n/gm, '')
      .replaceAll('${IMAGE_PREFIX:-', `\${IMAGE_PREFIX:-${imageRegistry()}/`);
    writeFileSync(join(folder, 'compose.yaml'), compose);
    execFileSync('tar', ['-czf', file, '--owner=0', '--group=0', '-C', staging, name]);
    console.log(file);
  });
});
