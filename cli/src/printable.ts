/**
 * Control characters (C0, DEL, C1), marks that change the direction of text, and separators of lines. In the text of
 * others they could move the cursor, hide words or run commands of the terminal.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it finds
const unprintable = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** The text with each unprintable character, but tabs and line ends, as an escape such as \x1b. */
export function printable(text: string): string {
  return text.replace(unprintable, (character) => {
    const code = character.charCodeAt(0).toString(16);
    return code.length <= 2 ? `\\x${code.padStart(2, '0')}` : `\\u${code.padStart(4, '0')}`;
  });
}

/** The same on one line, and at most `max` characters of the text. */
export function printableLine(text: string, max: number): string {
  const cut = text.length > max ? `${text.slice(0, max)}...` : text;
  return printable(cut).replace(/\s+/g, ' ').trim();
}
