import { wrapWords } from '@cadastre/rpsl';

const maxLineLength = 120;

/** A table in Markdown; the cells of the first row are its heading. The first column is text, the others figures. */
export function table(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`.replace(/ +\|/g, ' |');
  const rule = `|${heading.map((_, column) => (column === 0 ? '---|' : '---:|')).join('')}`;
  return [line(heading), rule, ...rows.map(line)].join('\n');
}

/** Text in lines of at most 120 characters. */
export function paragraph(text: string): string {
  return wrapWords(text.split(/\s+/), maxLineLength).join('\n');
}

/** With three digits or as a whole number, two below 1: "0.12", "1.23", "12.3", "1,234"; "" if there is no figure. */
export function figure(value: number | undefined): string {
  if (value === undefined || !Number.isFinite(value)) return '';
  if (value > 0 && value < 1) return String(Number(value.toPrecision(2)));
  const digits = value >= 100 || value === 0 ? 0 : value >= 10 ? 1 : 2;
  return value.toLocaleString('en-GB', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** A ratio, with two decimals. */
export function ratio(value: number): string {
  return Number.isFinite(value) ? value.toFixed(2) : '';
}
