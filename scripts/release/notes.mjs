// notes.mjs: writes notes.md, the text of the release: how to install and to verify it, what `npm audit` found
// (audit.mjs), and the section of CHANGELOG.md.
//
//   RELEASE_HOME       the address of the repository
//   RELEASE_REGISTRY   where the images and the chart are, for example ghcr.io/example
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { currentSection } from './changelog.mjs';
import {
  currentVersion,
  homePage,
  imageRegistry,
  releaseDirectory,
  releaseTag,
  runStep,
  withAbsoluteLinks,
} from './step.mjs';

await runStep(import.meta.filename, () => {
  const audit = join(releaseDirectory(), 'audit.md');
  const file = join(releaseDirectory(), 'notes.md');
  const parts = [installation(), existsSync(audit) ? readFileSync(audit, 'utf8').trim() : '', currentSection().text];
  writeFileSync(file, `${withAbsoluteLinks(parts.filter((part) => part !== '').join('\n\n'))}\n`);
  console.log(file);
});

function installation() {
  const downloads = `${homePage()}/releases/download/${releaseTag()}`;
  return `\`\`\`sh
helm install registry oci://${imageRegistry()}/charts/cadastre --version ${currentVersion()}
npm install --global ${downloads}/cadastre-cli-${currentVersion()}.tgz
npm install ${downloads}/cadastre-client-${currentVersion()}.tgz
\`\`\`

For one host with Docker, unpack \`cadastre-compose-${currentVersion()}.tgz\` and follow
[its page](docs/start/install.md). \`cadastre-${currentVersion()}.cdx.json\` lists the packages in this release,
\`THIRD-PARTY-LICENSES.txt\` has their licences. [Verify](docs/develop/releasing.md#verify-a-release) what you download.
Read [how to upgrade](docs/operate/upgrades.md).`;
}
