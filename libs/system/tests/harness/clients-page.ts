import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runProgram } from './run-program.js';
import type { SharedSystem } from './run-system.js';

const checkout = fileURLToPath(new URL('../../../../', import.meta.url));

function textOf(page: string): string {
  return readFileSync(fileURLToPath(new URL(`../../../../docs/use/${page}`, import.meta.url)), 'utf8');
}

/** The text of a section of a page in docs/. */
function sectionOf(heading: string, page = 'clients.md'): string {
  const section = textOf(page)
    .split(/^## /m)
    .find((text) => text.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`docs/use/${page} has no section "${heading}"`);
  return section;
}

/** A shell script of a section: saves the blocks that have a file name, and runs the shell blocks. */
export function scriptOf(heading: string, page?: string): string {
  const blocks = [...sectionOf(heading, page).matchAll(/^```(\w+)(?: (\S+))?\n(.*?)^```$/gms)];
  const parts = blocks.flatMap(([, language, file, text]) => {
    if (file !== undefined) return [`cat > ${file} <<'END OF FILE'\n${text}END OF FILE\n`];
    return language === 'sh' ? [text] : [];
  });
  return parts.join('');
}

/** What the programs of all languages print; `again` is the answer to a creation of what exists. */
export const recipe = (again: string) =>
  `admin-c of EXAMPLE-MNT: AE1-TEST\nroute: 192.0.2.0/24 AS64500\ncreate: 200\nagain: ${again}\ndelete: 200\n`;

/**
 * Returns a function that follows a section of docs/use/clients.md as a reader does, in a checkout beside a running
 * registry, and returns the output. Stops at the first command that fails. `further` are commands after those of the
 * section.
 */
export function followerOf(
  system: Pick<SharedSystem, 'dataDirectory' | 'https' | 'certHttps'>,
  directory: () => string,
) {
  return (heading: string, env: Record<string, string> = {}, further = ''): Promise<string> => {
    const script = `set -e; cd '${checkout}'\n${scriptOf('Before you begin')}${scriptOf(heading)}${further}`;
    return runProgram('bash', ['-c', script], {
      ...process.env,
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      TMPDIR: directory(),
      CADASTRE_DATA_DIR: system.dataDirectory,
      BASE: system.https,
      CERT_BASE: system.certHttps,
      ...env,
    });
  };
}

/** A row of the table of habits. */
export interface Habit {
  habit: string;
  status: number;
  /** The message of the response; undefined if it has none. */
  message: string | undefined;
}

/** The table of habits, each row with its message. */
export function habits(): Habit[] {
  const section = sectionOf('Habits of clients');
  const messages = [...section.matchAll(/^\d+\. `(.*)`$/gm)].map(([, text]) => text);
  const rows = section.matchAll(/^\| (.+?) \| (\d{3})(?: \((\d+)\)|: .*?) \|/gm);
  return [...rows].map(([, habit, status, number]) => ({
    habit: habit!,
    status: Number(status),
    message: number === undefined ? undefined : messages[Number(number) - 1],
  }));
}
