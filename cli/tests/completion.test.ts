import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isInstalled, isSkipped } from '@cadastre/service/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cadastre } from './fake-registry.js';

let directory: string;
const scripts: Record<string, string> = {};

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'cadastre-completion-'));
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, stdout } = await cadastre(['completion', shell], {});
    expect(code).toBe(0);
    scripts[shell] = join(directory, shell);
    writeFileSync(scripts[shell], stdout);
  }
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** The completions of bash for the last word. */
function inBash(words: string[]): string[] {
  const program = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _cadastre; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const output = execFileSync('bash', ['-c', program, 'bash', scripts.bash!, 'cadastre', ...words], {
    encoding: 'utf8',
  });
  return output.split('\n').filter(Boolean);
}

describe('bash completes', () => {
  test.each([
    [['lo'], ['login', 'logout', 'load']],
    [
      ['load', '--re'],
      ['--replace', '--rejects', '--retry'],
    ],
    [['load', '--source', 'TEST', '--allow'], ['--allow-deletes']],
    [['api-key', ''], expect.arrayContaining(['create', 'revoke', 'list'])],
    [['api-key', 'create', '--us'], ['--user']],
    [['index', ''], expect.arrayContaining(['status', 'rebuild'])],
    [['index', 'rebuild', '--w'], ['--wait']],
    [
      ['email', 'mark', 'a@example.net', '--as', 'un'],
      ['undeliverable', 'unsubscribed'],
    ],
    [['completion', ''], expect.arrayContaining(['bash', 'fish', 'zsh'])],
    [
      ['get', 'inet'],
      ['inetnum/', 'inet6num/', 'inet-rtr/'],
    ],
    [['delete', 'person/AB1-TEST', 'rou'], expect.arrayContaining(['route/', 'route6/', 'route-set/'])],
    [['tag', 'add', 'as-s'], ['as-set/']],
    // The values of others are files, or unknown.
    [['load', '--rejects', ''], []],
  ])('%j', (words, offered) => {
    expect(inBash(words)).toEqual(offered);
  });
});

const lacks = (shell: string) =>
  isSkipped(`the script for ${shell}`, isInstalled(shell) ? [] : [shell], { isOptional: true });

test.skipIf(lacks('zsh'))('the script for zsh is one', () => {
  execFileSync('zsh', ['-n', scripts.zsh!]);
});

test.skipIf(lacks('fish'))('the script for fish is one', () => {
  execFileSync('fish', ['--no-execute', scripts.fish!]);
});

test('another shell is refused', async () => {
  expect((await cadastre(['completion', 'tcsh'], {})).code).toBe(2);
});
