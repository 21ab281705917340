// chart.mjs: packs the Helm chart (cadastre-chart-VERSION.tgz) with the registry of the images as a default, the
// address of the repository, and the changes of this version for Artifact Hub.
//
//   RELEASE_HOME       the address of the repository
//   RELEASE_REGISTRY   where the images are, for example ghcr.io/example
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument, stringify } from 'yaml';
import { helm } from '../helm.mjs';
import { currentSection, entriesOf } from './changelog.mjs';
import {
  currentVersion,
  homePage,
  imageRegistry,
  inStaging,
  Refusal,
  releaseDirectory,
  releaseTag,
  runStep,
  withAbsoluteLinks,
} from './step.mjs';

const folder = 'deploy/helm/cadastre';
/** Headings of CHANGELOG.md that Artifact Hub calls otherwise; the others are its kinds. */
const kinds = { '': 'changed', 'breaking changes': 'changed' };

await runStep(import.meta.filename, () => {
  inStaging((staging) => {
    const chart = join(staging, 'cadastre');
    cpSync(folder, chart, { recursive: true });
    rewrite(join(chart, 'Chart.yaml'), described);
    rewrite(join(chart, 'values.yaml'), withRegistry);
    rewrite(join(chart, 'README.md'), (text) => withAbsoluteLinks(text, folder));
    if (helm(['package', chart, '--destination', staging], ['ignore', 'ignore', 'inherit']) !== 0) {
      throw new Refusal('helm cannot pack the chart.');
    }
    const file = join(releaseDirectory(), `cadastre-chart-${currentVersion()}.tgz`);
    cpSync(join(staging, `cadastre-${currentVersion()}.tgz`), file);
    console.log(file);
  });
});

function rewrite(file, change) {
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}

function described(text) {
  const document = parseDocument(text);
  document.set('home', homePage());
  document.set('sources', [homePage()]);
  const annotations = {
    changes: stringify(changes(), { lineWidth: 0 }),
    images: stringify(images()),
    links: stringify([
      { name: 'Documentation', url: `${homePage()}/tree/${releaseTag()}/docs` },
      { name: 'Upgrades', url: `${homePage()}/blob/${releaseTag()}/docs/operate/upgrades.md` },
    ]),
    prerelease: String(currentVersion().includes('-')),
  };
  for (const [name, value] of Object.entries(annotations)) {
    document.setIn(['annotations', `artifacthub.io/${name}`], value);
  }
  return document.toString({ lineWidth: 0 });
}

/** The first sentence of each entry of CHANGELOG.md. */
function changes() {
  return entriesOf(currentSection().text).map(({ heading, text }) => {
    const kind = heading.toLowerCase();
    const [sentence] = text.split(/(?<=(?<!\.[a-z])\.) (?=[A-Z`])/, 1);
    return { kind: kinds[kind] ?? kind, description: sentence.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1') };
  });
}

function images() {
  return [...readdirSync('services'), 'cli'].map((name) => ({
    name,
    image: `${imageRegistry()}/cadastre-${name}:${currentVersion()}`,
  }));
}

function withRegistry(values) {
  const changed = values.replace(/(?<=^image:\n(?: {2}#.*\n)* {2}registry: )""$/m, imageRegistry());
  if (changed === values) throw new Refusal(`${folder}/values.yaml has no image.registry to fill in.`);
  return changed;
}
