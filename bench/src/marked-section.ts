const begin = '<!-- bench: `make bench` writes everything from here to the next mark -->';
const end = '<!-- bench: end -->';

/** The text with new content between the marks of `make bench`. Throws when the marks are missing. */
export function withMarkedSection(text: string, content: string): string {
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  if (from < 0 || to < from) throw new Error(`The text lacks the lines "${begin}" and "${end}"`);
  return `${text.slice(0, from + begin.length)}\n\n${content.trim()}\n\n${text.slice(to)}`;
}
