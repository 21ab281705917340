import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The name, the version and the licence of the package in a folder, with the text of the licence if it is there. */
export function licenceText(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((one) => /^(licen[cs]e|copying)/i.test(one));
  const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8');
  return `==== ${name} ${version} (${license})\n\n${text.trim()}\n`;
}
