import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

function textOf(page: string): string {
  return readFileSync(fileURLToPath(new URL(`../../../../docs/${page}`, import.meta.url)), 'utf8');
}

/** The text of a section of a page in docs/. */
function sectionOf(heading: string, page = 'clients.md'): string {
  const section = textOf(page)
    .split(/^## /m)
    .find((text) => text.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`docs/${page} has no section "${heading}"`);
  return section;
}

/** A shell script that does what a section says: saves the blocks that have a file name, and runs the shell blocks. */
export function scriptOf(heading: string, page?: string): string {
  const blocks = [...sectionOf(heading, page).matchAll(/^```(\w+)(?: (\S+))?\n(.*?)^```$/gms)];
  const parts = blocks.flatMap(([, language, file, text]) => {
    if (file !== undefined) return [`cat > ${file} <<'END OF FILE'\n${text}END OF FILE\n`];
    return language === 'sh' ? [text] : [];
  });
  return parts.join('');
}

/** A row of the table of habits. */
export interface Habit {
  habit: string;
  status: number;
  /** What the response says; undefined if it says nothing. */
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
