import { readFileSync } from 'node:fs';

/** A page in docs/ that a test follows as its reader does. */
export interface FollowedPage {
  /** The only part that contains these texts. */
  take(...texts: string[]): string;
  /** The parts that nobody has taken. */
  left(): string[];
}

const block = /^( *)```\w+\n(.*?)^ *```$/gms;
/** A command with arguments, or a setting with a value. */
const isStep = (code: string) => /^([a-z][\w-]* |[A-Z_]+=)/.test(code);

/** The parts of a page are its blocks of code, and the commands and settings in its sentences. */
export function followPage(path: string): FollowedPage {
  const text = readFileSync(new URL(`../../../../docs/${path}`, import.meta.url), 'utf8');
  const blocks = [...text.matchAll(block)].map(([, margin, code]) =>
    code!.replaceAll(new RegExp(`^${margin}`, 'gm'), ''),
  );
  const codes = [...text.replaceAll(block, '').matchAll(/`([^`]*)`/g)].map(([, code]) => code!.replaceAll(/\s+/g, ' '));
  const parts = [...blocks, ...codes.filter(isStep)];
  const taken = new Set<string>();
  return {
    take(...texts) {
      const found = parts.filter((part) => texts.every((one) => part.includes(one)));
      if (found.length !== 1) throw new Error(`${path} has ${found.length} parts with ${texts.join(' and ')}`);
      taken.add(found[0]!);
      return found[0]!;
    },
    left: () => parts.filter((part) => !taken.has(part)),
  };
}
