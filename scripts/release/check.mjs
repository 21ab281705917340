// check.mjs [TAG]: fails unless the tag, all files with a version and CHANGELOG.md name the same version.
//
//   TAG   for example v0.3.0 or v0.3.0-rc.1 (default: RELEASE_TAG, else "v" and the version in package.json)
//
// CHANGELOG.md must have a section with a date for the version, and nothing in [Unreleased].
import { sectionOf, unreleased } from './changelog.mjs';
import { Refusal, releaseTag, runStep } from './step.mjs';
import { readVersions } from './versions.mjs';

await runStep(import.meta.filename, (tag = releaseTag()) => {
  const [, version] = /^v(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?)$/.exec(tag) ?? [];
  if (version === undefined) throw new Refusal(`${tag} is no tag of a release: these are like v0.3.0 or v0.3.0-rc.1.`);
  const problems = [...versionProblems(version), ...changelogProblems(version)];
  if (problems.length > 0) {
    throw new Refusal(`${tag} cannot be released:\n${problems.map((problem) => `- ${problem}\n`).join('')}`.trimEnd());
  }
  console.log(`${tag}: all files have version ${version}, and CHANGELOG.md has its section.`);
});

function versionProblems(version) {
  return readVersions()
    .filter(({ versions }) => versions.length !== 1 || versions[0] !== version)
    .map(({ file, versions }) => `${file} has version ${versions.join(' and ') || '(none)'}, not ${version}.`);
}

function changelogProblems(version) {
  const section = sectionOf(version);
  const problems = [];
  if (section === undefined) problems.push(`CHANGELOG.md has no section "## [${version}] - DATE".`);
  else if (section.date === undefined) problems.push(`CHANGELOG.md has no date in the section of ${version}.`);
  else if (section.text === '') problems.push(`CHANGELOG.md says nothing in the section of ${version}.`);
  if ((sectionOf(unreleased)?.text ?? '') !== '') {
    problems.push(`CHANGELOG.md has changes in [${unreleased}]: prepare.mjs makes them those of a version.`);
  }
  return problems;
}
