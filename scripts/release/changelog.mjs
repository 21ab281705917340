// Reads CHANGELOG.md, whose form is that of Keep a Changelog.
import { readFileSync } from 'node:fs';
import { currentVersion, Refusal } from './step.mjs';

/** The section of what no version has yet. */
export const unreleased = 'Unreleased';

/** The sections: the name in `## [NAME] - DATE`, the date, undefined without one, and the text. */
export function readChangelog() {
  const sections = readFileSync('CHANGELOG.md', 'utf8').split(/^## /m).slice(1);
  return sections.map((section) => {
    const [heading, ...lines] = section.split('\n');
    const [, name, date] = /^\[([^\]]+)\](?: - (\d{4}-\d{2}-\d{2})$)?/.exec(heading) ?? [];
    return { name, date, text: lines.join('\n').trim() };
  });
}

/** The section of a version, or undefined. */
export function sectionOf(version) {
  return readChangelog().find(({ name }) => name === version);
}

/** The section of the version in package.json. Throws a Refusal without one. */
export function currentSection() {
  const section = sectionOf(currentVersion());
  if (section === undefined) throw new Refusal(`CHANGELOG.md has no section of ${currentVersion()}.`);
  return section;
}

/** The entries of a section below its headings: the heading and the text of each, in one line. */
export function entriesOf(text) {
  return text.split(/^### /m).flatMap((part, index) => {
    const [heading] = index === 0 ? [''] : part.split('\n', 1);
    const entries = part.split(/^- /m).slice(1);
    return entries.map((entry) => ({ heading, text: entry.split(/\n\n/, 1)[0].replaceAll(/\s+/g, ' ').trim() }));
  });
}
