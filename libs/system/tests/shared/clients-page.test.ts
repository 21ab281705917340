import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { followerOf, recipe } from '../harness/clients-page.js';
import { restClient } from '../harness/rest.js';
import { obtainTokens } from '../harness/sign-in.js';

// The recipes of docs/use/clients.md, as a reader runs them; those for generated clients are in generated-clients.test.ts.
const system = inject('sharedSystem');
const timeoutMs = 600_000;
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cadastre-recipes-'));
});

afterAll(() => rm(directory, { recursive: true, force: true }));

const follow = followerOf(system, () => directory);

describe('curl', () => {
  let output: string;

  beforeAll(async () => {
    output = await follow('curl', { TOKEN: await tokenOf('alice@example.net') });
  });

  it('looks up, searches, writes, follows an object, and authenticates in each way', () => {
    const reads = Array(14).fill('200');
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

it('TypeScript: our package is installed, fits the program, and runs it', { timeout: timeoutMs }, async () => {
  const types = `--types node --typeRoots "$CHECKOUT/node_modules/@types"`;
  const check = `"$CHECKOUT/node_modules/.bin/tsc" --noEmit --strict --module nodenext ${types} recipe.mts\n`;
  const output = await follow('TypeScript', {}, check);
  expect(output).toContain(recipe('409 Enforced new keyword specified, but the object already exists in the database'));
});

it('the change stream: a program with EventSource sees each change once', { timeout: timeoutMs }, async () => {
  const output = await follow('The change stream');
  expect(output.match(/^(created|modified|deleted): .*$/gm)).toEqual([
    'created: as-set AS-STREAM',
    'deleted: as-set AS-STREAM',
  ]);
});

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
