import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isInstalled } from '@cadastre/service/testing';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { scriptOf } from '../harness/clients-page.js';
import { restClient } from '../harness/rest.js';
import { runProgram } from '../harness/run-program.js';
import { obtainTokens } from '../harness/sign-in.js';

// The recipes of docs/clients.md, as a reader runs them: in a checkout, beside a running registry.
const checkout = fileURLToPath(new URL('../../../../', import.meta.url));
const system = inject('sharedSystem');
const patienceMs = 240_000;
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cadastre-recipes-'));
});

afterAll(() => rm(directory, { recursive: true, force: true }));

/** What a section prints. It ends at the first command that fails. */
function follow(heading: string, env: Record<string, string> = {}, further = ''): Promise<string> {
  const script = `set -e; cd '${checkout}'\n${scriptOf('Before you begin')}${scriptOf(heading)}${further}`;
  return runProgram('bash', ['-c', script], {
    ...process.env,
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    TMPDIR: directory,
    CADASTRE_DATA_DIR: system.dataDirectory,
    BASE: system.https,
    CERT_BASE: system.certHttps,
    ...env,
  });
}

/** What the programs of all languages print. */
const recipe = (again: string) =>
  `admin-c of EXAMPLE-MNT: AE1-TEST\nroute: 192.0.2.0/24 AS64500\ncreate: 200\nagain: ${again}\ndelete: 200\n`;

describe('curl', () => {
  let output: string;

  beforeAll(async () => {
    output = await follow('curl', { TOKEN: await tokenOf('alice@example.net') });
  });

  it('looks up, searches, writes, follows an object, and authenticates in each way', () => {
    const reads = ['200', '200', '200', '200', '200', '200', '200', '200', '200', '200'];
    const writes = ['200', '200', '200'];
    const following = ['200', '304', '200', '200'];
    const guarded = ['200', '200', '412'];
    const repeated = ['200', '200', '200'];
    const searchesAndDeletion = ['200', '200', '200'];
    const past = ['200', '200', '200', '200', '200'];
    const text = ['200', '200'];
    const certificateAndToken = ['200', '200'];
    const firstHalf = [reads, writes, following, guarded, repeated];
    const expected = [...firstHalf, searchesAndDeletion, past, text, certificateAndToken].flat();
    expect(output.match(/^\d{3}$/gm)).toEqual(expected);
  });

  it('learns where the next page of a search is', () => {
    expect(output).toMatch(/^link: <https:.*[?&]cursor=.*>; rel="?next"?\r?$/m);
  });

  it('sees the update that its tag told of, the write that its serial named, and the past', () => {
    const descriptions = output.match(/^descr: +(First|Second)$/gm)?.map((line) => line.split(/ +/)[1]);
    expect(descriptions).toEqual(['Second', 'First', 'First', 'Second', 'Second']);
  });

  it('sees the changes in the stream', () => {
    expect(output).toMatch(/^event: object\.deleted\ndata: .*"type":"as-set","key":"AS-RECIPE"/m);
  });

  it('sees auth by its certificate and by its token', () => {
    expect(output.match(/^auth: +SSO alice@example\.net\nauth: +X509-\d+$/gm)).toHaveLength(2);
  });
});

it('TypeScript: our package is installed, fits the program, and runs it', { timeout: patienceMs }, async () => {
  const types = `--types node --typeRoots "$CHECKOUT/node_modules/@types"`;
  const check = `"$CHECKOUT/node_modules/.bin/tsc" --noEmit --strict --module nodenext ${types} recipe.mts\n`;
  const output = await follow('TypeScript', {}, check);
  expect(output).toContain(recipe('409 Enforced new keyword specified, but the object already exists in the database'));
});

it('the change stream: a program with EventSource sees each change once', { timeout: patienceMs }, async () => {
  const output = await follow('The change stream');
  expect(output.match(/^(created|modified|deleted): .*$/gm)).toEqual([
    'created: as-set AS-STREAM',
    'deleted: as-set AS-STREAM',
  ]);
});

const missing = ['java', 'mvn', 'go', 'python3'].filter((program) => !isInstalled(program));
if (missing.length > 0) console.warn(`SKIPPED: no clients are generated in Go and Python: no ${missing.join(', ')}.`);

describe.skipIf(missing.length > 0)('clients that OpenAPI Generator makes of the description', () => {
  it('Go', { timeout: patienceMs }, async () => {
    expect(await follow('Go', { GOPROXY: 'off' })).toContain(recipe('409'));
  });

  it('Python', { timeout: patienceMs }, async ({ skip }) => {
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
    execFileSync('python3', download, { stdio: 'ignore', timeout: 60_000 });
    return true;
  } catch {
    return false;
  }
}

async function tokenOf(login: string): Promise<string> {
  const rest = restClient(system);
  try {
    const started = await rest('/session/login?return=/');
    const [issuer = ''] = started.headers.location!.split('/auth?');
    return (await obtainTokens(issuer, login, `${system.https}/session/callback`)).access_token;
  } finally {
    rest.close();
  }
}
