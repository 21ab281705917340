// packages.mjs: packs the command line program (cadastre-cli-VERSION.tgz) and the client in TypeScript
// (cadastre-client-VERSION.tgz) for npm. It needs a build.
//
//   RELEASE_HOME   the address of the repository, which the packages name
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npmPack } from '../npm-pack.mjs';
import { currentVersion, inStaging, packageLinks, releaseDirectory, runStep, withAbsoluteLinks } from './step.mjs';

const client = 'clients/typescript';

await runStep(import.meta.filename, () => {
  const directory = releaseDirectory();
  console.log(packProgram(directory));
  console.log(packClient(directory));
});

/** The chart has the name cadastre-VERSION.tgz, too: in a release both say what they are. */
function packProgram(directory) {
  packageLinks('cli');
  const packed = execFileSync(process.execPath, ['scripts/pack-cli.mjs', directory], { encoding: 'utf8' }).trim();
  const file = join(directory, `cadastre-cli-${currentVersion()}.tgz`);
  renameSync(packed, file);
  return file;
}

function packClient(directory) {
  return inStaging((staging) => {
    const manifest = JSON.parse(readFileSync(join(client, 'package.json'), 'utf8'));
    // Only a checkout has the sources.
    delete manifest.exports['.'].source;
    delete manifest.devDependencies;
    writeFileSync(join(staging, 'package.json'), JSON.stringify({ ...manifest, ...packageLinks(client) }, null, 2));
    const readme = readFileSync(join(client, 'README.md'), 'utf8');
    writeFileSync(join(staging, 'README.md'), withAbsoluteLinks(readme, client));
    copyFileSync('LICENSE', join(staging, 'LICENSE'));
    cpSync(join(client, 'dist'), join(staging, 'dist'), { recursive: true });
    return npmPack(staging, directory);
  });
}
