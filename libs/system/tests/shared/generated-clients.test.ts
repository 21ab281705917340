import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isInstalled } from '@cadastre/service/testing';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { followerOf, recipe } from '../harness/clients-page.js';

const timeoutMs = 600_000;
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cadastre-recipes-'));
});

afterAll(() => rm(directory, { recursive: true, force: true }));

const follow = followerOf(inject('sharedSystem'), () => directory);

const missing = ['java', 'mvn', 'go', 'python3'].filter((program) => !isInstalled(program));
if (missing.length > 0) console.warn(`SKIPPED: no clients are generated in Go and Python: no ${missing.join(', ')}.`);

describe.skipIf(missing.length > 0)('clients that OpenAPI Generator makes of the description', () => {
  it('Go', { timeout: timeoutMs }, async () => {
    expect(await follow('Go', { GOPROXY: 'off' })).toContain(recipe('409'));
  });

  it('Python', { timeout: timeoutMs }, async ({ skip }) => {
    if (!hasPackages()) {
      console.warn('SKIPPED: the client in Python does not run: python3 has no venv, or PyPI does not answer.');
      skip();
    }
    expect(await follow('Python')).toContain(recipe('409'));
  });
});

/** Whether Python can install what the generated client needs. */
function hasPackages(): boolean {
  const download = ['-m', 'pip', 'download', '--quiet', '--no-deps', '--dest', directory, 'pydantic'];
  try {
    execFileSync('python3', ['-c', 'import venv, ensurepip'], { stdio: 'ignore' });
    execFileSync('python3', download, { stdio: 'ignore', timeout: 180_000 });
    return true;
  } catch {
    return false;
  }
}
