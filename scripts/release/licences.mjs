// licences.mjs: fails when a package in the bill of materials (sbom.mjs) has a licence that is not allowed, and writes
// THIRD-PARTY-LICENSES.txt with the licences of all. It needs the installed packages.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import satisfies from 'spdx-satisfies';
import { licenceText } from '../licence-text.mjs';
import { currentVersion, Refusal, releaseDirectory, runStep } from './step.mjs';

/** Licences that ask for nothing but their text, and that of the copyright. */
const allowed = [
  ...['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'BlueOak-1.0.0'],
  ...['Unlicense', 'CC0-1.0'],
];
/** Packages with other licences. Say why they may be released. */
const exceptions = {
  // Unchanged; everybody can build the images from this repository with another version of it.
  openpgp: ['LGPL-3.0'],
};

await runStep(import.meta.filename, () => {
  const directory = releaseDirectory();
  const bill = JSON.parse(readFileSync(join(directory, `cadastre-${currentVersion()}.cdx.json`), 'utf8'));
  const packages = bill.components.filter((one) => !one.name.startsWith('@cadastre/')).map(licensedPackage);
  const refused = packages.filter(({ name, licence }) => !isAllowed(name, licence));
  if (refused.length > 0) {
    const lines = refused.map(
      ({ name, version, licence = 'none that SPDX knows' }) => `- ${name} ${version}: ${licence}`,
    );
    throw new Refusal(`scripts/release/licences.mjs does not allow the licences of\n${lines.join('\n')}`);
  }
  const file = join(directory, 'THIRD-PARTY-LICENSES.txt');
  const introduction = `Cadastre ${currentVersion()} contains the following ${packages.length} packages.\n\n`;
  const { packages: locked } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  writeFileSync(file, `${introduction}${packages.map((one) => textOf(one, locked)).join('\n')}`);
  console.log(file);
});

/** `licences` of CycloneDX has one licence or one expression. */
function licensedPackage({ name, version, licenses = [] }) {
  return { name, version, licence: licenses[0]?.expression ?? licenses[0]?.license.id };
}

function isAllowed(name, licence) {
  return licence !== undefined && satisfies(licence, [...allowed, ...(exceptions[name] ?? [])]);
}

function textOf({ name, version, licence }, locked) {
  const folder = installedFolder(name, version, locked);
  if (folder !== undefined) return licenceText(folder);
  return `==== ${name} ${version} (${licence})\n\nNot installed where this file was written.\n`;
}

/** Where npm installed that version of a package. Entries of package-lock.json have a name if their folder has another. */
function installedFolder(name, version, locked) {
  const nameIn = (folder) => locked[folder].name ?? folder.split('node_modules/').at(-1);
  return Object.keys(locked).find(
    (folder) => nameIn(folder) === name && locked[folder].version === version && existsSync(folder),
  );
}
