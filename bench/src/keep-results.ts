import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Results } from './full-run.ts';
import { withMarkedSection } from './marked-section.ts';
import { reportOf } from './report.ts';
import { checkout, reportFile } from './revision.ts';

/** Prints the tables, stores them with all figures, and writes them to the page about performance. */
export async function keepResults(results: Results, say: (line: string) => void): Promise<void> {
  const { settings, date, revision } = results;
  const tables = reportOf(results);
  say(`\n${tables}\n`);
  await mkdir(settings.results, { recursive: true });
  const name = join(settings.results, date.replaceAll(':', '-'));
  await writeFile(`${name}.json`, `${JSON.stringify(results, null, 2)}\n`);
  await writeFile(`${name}.md`, `${tables}\n`);
  say(`Results are in ${name}.json and ${name}.md`);
  if (revision.dirty) {
    say(`${reportFile} stays as it is: there are uncommitted changes, and its figures must belong to a commit`);
    return;
  }
  const page = join(checkout, reportFile);
  await writeFile(page, withMarkedSection(await readFile(page, 'utf8'), tables));
  say(`The tables are in ${reportFile}`);
}
