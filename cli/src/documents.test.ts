import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { processIo } from './io.js';
import { runProgram } from './program.js';

const checkout = fileURLToPath(new URL('../../', import.meta.url));
const pages = execFileSync('git', ['ls-files', '*.md'], { cwd: checkout, encoding: 'utf8' }).trim().split('\n');
const helps = new Map<string, Promise<string>>();

/** What `--help` prints for a command. */
function helpOf(command: string[]): Promise<string> {
  const key = command.join(' ');
  const known = helps.get(key);
  if (known !== undefined) return known;
  const stdout = new PassThrough();
  const printed = text(stdout);
  const help = runProgram([...command, '--help'], { ...processIo(), stdout }).then(() => {
    stdout.end();
    return printed;
  });
  helps.set(key, help);
  return help;
}

/** The invocations in code of a page: `cadastre` at the start of a command, to its end. */
function invocationsIn(page: string): string[] {
  const content = readFileSync(`${checkout}${page}`, 'utf8');
  const blocks = [...content.matchAll(/^ *```sh[^\n]*\n(.*?)^ *```/gms)].map(([, block]) =>
    block!.replaceAll('\\\n', ' '),
  );
  const spans = [...content.replace(/^ *```.*?^ *```/gms, '').matchAll(/`([^`]+)`/g)].map(([, span]) => span!);
  return [...blocks.flatMap((block) => block.split('\n')), ...spans]
    .flatMap((line) => line.split(/[|;&]|\$\(| -- /))
    .flatMap((part) => /^(?:.* )?(?:bin\/)?cadastre ([a-z].*)$/.exec(part.trim())?.[1] ?? [])
    .filter((words) => !/^\(\)/.test(words));
}

/** What the program does not know of an invocation. */
async function unknownIn(words: string[]): Promise<string | undefined> {
  const command: string[] = [];
  for (const word of words) {
    const help = await helpOf(command);
    if (word.startsWith('--')) {
      const [name] = word.split(/[=,]/);
      if (!new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(help)) return name;
      continue;
    }
    const commands = /\nCommands:\n(.*?)(?:\n\n|$)/s.exec(help)?.[1];
    if (commands === undefined) continue;
    if (!new RegExp(`^  ${word}(?![\\w-])`, 'm').test(commands)) return [...command, word].join(' ');
    command.push(word);
  }
  return undefined;
}

describe('documents', () => {
  const invocations = pages.flatMap((page) =>
    invocationsIn(page).map((line) => ({
      page,
      words: line
        .replace(/#.*$/, '')
        .replace(/[<>].*$/, '')
        .trim()
        .split(/\s+/),
    })),
  );

  it('name many commands', () => expect(invocations.length).toBeGreaterThan(100));

  it('name only commands and options that there are', async () => {
    const wrong: string[] = [];
    for (const { page, words } of invocations) {
      const unknown = await unknownIn(words);
      if (unknown !== undefined) wrong.push(`${page}: cadastre ${words.join(' ')}: no ${unknown}`);
    }
    expect(wrong).toEqual([]);
  });
});
