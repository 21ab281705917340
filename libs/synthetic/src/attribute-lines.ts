import type { Random } from './random.js';
import { below, chance, pick } from './random.js';
import { remarkTexts } from './words.js';

/** One attribute in the stored layout: the value at column 16. */
export function line(name: string, value: string): string {
  return `${`${name}:`.padEnd(16)}${value}\n`;
}

export function emptyLine(name: string): string {
  return `${name}:\n`;
}

/** A further line of the value above. */
export function continuation(value: string): string {
  return `                ${value}\n`;
}

/** An empty line inside a value. */
const emptyContinuation = '+\n';

/** No remarks, or some, occasionally with several lines. */
export function remarks(random: Random): string {
  if (!chance(random, 35)) return '';
  let text = line('remarks', pick(random, remarkTexts));
  if (chance(random, 30)) {
    text += continuation(pick(random, remarkTexts)) + emptyContinuation + continuation(pick(random, remarkTexts));
  }
  return text;
}

/** The last lines of every object; the dates are between 2001 and 2024 and in order. */
export function ending(random: Random, source: string): string {
  const created = below(random, 12);
  return (
    line('created', instant(random, 2001 + created)) +
    line('last-modified', instant(random, 2013 + created)) +
    line('source', source)
  );
}

function instant(random: Random, year: number): string {
  const two = (n: number) => (n < 10 ? `0${n}` : String(n));
  const date = `${year}-${two(1 + below(random, 12))}-${two(1 + below(random, 28))}`;
  return `${date}T${two(below(random, 24))}:${two(below(random, 60))}:${two(below(random, 60))}Z`;
}
