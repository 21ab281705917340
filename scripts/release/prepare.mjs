// prepare.mjs VERSION [DATE]: writes the version into all files that have one, and makes [Unreleased] of CHANGELOG.md
// the section of that version. Review, commit and tag the result: docs/develop/releasing.md.
//
//   VERSION   for example 0.3.0 or 0.3.0-rc.1
//   DATE      of the section, for example 2026-12-01 (default: today in UTC)
import { readFileSync, writeFileSync } from 'node:fs';
import { sectionOf, unreleased } from './changelog.mjs';
import { Refusal, runStep } from './step.mjs';
import { writeVersion } from './versions.mjs';

await runStep(import.meta.filename, (version = '', date = new Date().toISOString().slice(0, 10)) => {
  if (!/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(version)) throw new Refusal('Usage: prepare.mjs VERSION [DATE]');
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) throw new Refusal(`${date} is no date: these are like 2026-12-01.`);
  if (sectionOf(version) !== undefined) throw new Refusal(`CHANGELOG.md has a section of ${version} already.`);
  if (!sectionOf(unreleased)?.text) throw new Refusal(`CHANGELOG.md has no changes in [${unreleased}].`);
  const heading = `## [${unreleased}]`;
  const changelog = readFileSync('CHANGELOG.md', 'utf8');
  writeFileSync('CHANGELOG.md', changelog.replace(heading, `${heading}\n\n## [${version}] - ${date}`));
  for (const file of [...writeVersion(version), 'CHANGELOG.md']) console.log(file);
});
