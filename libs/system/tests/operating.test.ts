import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cadastre } from './harness/cadastre.js';
import { eventually } from './harness/eventually.js';
import { type Rest, restClient } from './harness/rest.js';
import { freshDirectory, inOneProcess, type RunningSystem, runSystem } from './harness/run-system.js';
import { documentOf, objectOf, values, type WhoisClient, whoisClient } from './harness/whois.js';

// The work of an operator with bin/cadastre, on the main source and on a mirror of another registry.
let data: Awaited<ReturnType<typeof freshDirectory>>;
let system: RunningSystem;
let rest: Rest & { close(): void };
let whois: WhoisClient;

beforeAll(async () => {
  data = await freshDirectory();
  system = await runSystem(data.directory, { ...inOneProcess, CADASTRE_GRS_SOURCES: 'EXAMPLE-GRS' });
  rest = restClient(system);
  whois = whoisClient(rest, system.credential);
});

afterAll(async () => {
  rest?.close();
  await system?.stop();
  await data.remove();
});

const run = (args: string[], stdin?: string) => cadastre(system, args, stdin);
const file = (name: string) => join(data.directory, name);

describe('load', () => {
  const poem = (name: string, line: string, source = 'EXAMPLE-GRS') => `poem:           POEM-${name}
form:           FORM-HAIKU
text:           ${line}
mnt-by:         EXAMPLE-MNT
source:         ${source}
`;
  const grs = async (name: string) => (await rest(`/EXAMPLE-GRS/poem/POEM-${name}.json`)).status;

  test('loads valid objects and reports the rest with their lines', async () => {
    const dump = `# a comment\n\n${poem('ONE', 'first')}\npoem:           POEM-TWO\nno colon here\n\n${poem('THREE', 'third', 'TEST')}\n${poem('FOUR', 'fourth')}`;
    await writeFile(file('dump.txt'), dump);
    const { code, stdout, stderr } = await run(['load', '--source', 'EXAMPLE-GRS', '--wait', file('dump.txt')]);
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^2 created, .* 2 rejected/)]);
    expect(stderr.trimEnd().split('\n')).toEqual([
      expect.stringContaining(`rejected ${file('dump.txt')}:9: poem`),
      expect.stringContaining(`rejected ${file('dump.txt')}:12: poem POEM-THREE: `),
    ]);
    expect(await Promise.all(['ONE', 'TWO', 'THREE', 'FOUR'].map(grs))).toEqual([200, 404, 404, 200]);
  });

  test('with --wait is visible to lookups of cached objects', async () => {
    const look = async () => values(objectOf(await rest('/EXAMPLE-GRS/poem/POEM-ONE.json')), 'text');
    expect(await look()).toEqual(['first']);
    const { code } = await run(['load', '--source', 'EXAMPLE-GRS', '--wait', '-'], poem('ONE', 'changed'));
    expect(code).toBe(0);
    // Sooner than the cache would forget it.
    await eventually(async () => expect(await look()).toEqual(['changed']), 8_000);
  });

  test('with --replace deletes other objects, with gzip too, and histories stay', async () => {
    await writeFile(file('dump.gz'), gzipSync(`${poem('FOUR', 'fourth')}\n${poem('FIVE', 'fifth')}`));
    const replace = ['load', '--source', 'EXAMPLE-GRS', '--replace', '--wait', file('dump.gz')];
    const { stdout } = await run([...replace, '--allow-deletes', '1']);
    expect(stdout).toMatch(/^1 created, 0 modified, 1 unchanged, 1 deleted, 0 rejected/);
    await eventually(async () => expect(await Promise.all(['ONE', 'FOUR', 'FIVE'].map(grs))).toEqual([404, 200, 200]));
    const { versions } = documentOf(await rest('/EXAMPLE-GRS/poem/POEM-ONE/versions.json'));
    expect(versions?.version).toHaveLength(3);
  });

  test.each([
    ['an empty download', ''],
    ['a damaged download', 'nonsense\n\nmore of it'],
    ['a download cut in half', poem('FOUR', 'fourth')],
  ])('with --replace of %s deletes nothing, and says what it would have deleted', async (_, text) => {
    const { code, stderr } = await run(['load', '--source', 'EXAMPLE-GRS', '--replace', '-'], text);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/\d of the 2 objects of EXAMPLE-GRS are not in the text/),
    ]);
    expect(await Promise.all(['FOUR', 'FIVE'].map(grs))).toEqual([200, 200]);
  });

  test('of an unknown source exits with 2', async () => {
    const { code, stderr } = await run(['load', '--source', 'NOWHERE', '-'], poem('X', 'x'));
    expect([code, stderr]).toEqual([2, expect.stringContaining('NOWHERE')]);
  });

  test('a mirror of another registry refuses REST writes', async () => {
    const body = JSON.stringify({ objects: { object: [{ attributes: { attribute: [] } }] } });
    const options = { method: 'POST', contentType: 'application/json', credential: system.credential, body };
    expect((await rest('/EXAMPLE-GRS/poem', options)).status).toBe(400);
  });

  test('loading an export again changes nothing', async () => {
    const exported = await run(['export', '--source', 'TEST', '--output', file('export.txt')]);
    expect(exported.code).toBe(0);
    expect(await readFile(file('export.txt'), 'latin1')).toContain('person:         Bjørn Müller\n');
    const { code, stdout } = await run(['load', '--source', 'TEST', '--replace', file('export.txt')]);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^0 created, 0 modified, 26 unchanged, 0 deleted, 0 rejected/),
    ]);
  });
});

describe('api-key', () => {
  const status = async (credential: string) => (await whois.lookup('mntner', 'EXAMPLE-MNT', '', { credential })).status;
  const create = async (...more: string[]) => {
    const { stdout, stderr } = await run(['api-key', 'create', '--user', 'carol@example.net', '--name', 'k', ...more]);
    return { credential: stdout.trim(), id: /Key (\w{24}) of/.exec(stderr)?.[1] ?? '' };
  };

  test('prints a credential that works at once', async () => {
    const { credential } = await create();
    expect(await status(credential)).toBe(200);
  });

  test('creates the account of a new user', async () => {
    const { code, stdout } = await run(['api-key', 'create', '--user', 'new@example.net', '--name', 'first']);
    expect([code, await status(stdout.trim())]).toEqual([0, 200]);
  });

  test('is refused within seconds of its revocation, and others still work', async () => {
    const [revoked, stored] = [await create(), await create()];
    expect(await status(revoked.credential)).toBe(200);
    expect((await run(['api-key', 'revoke', revoked.id])).code).toBe(0);
    await eventually(async () => expect(await status(revoked.credential)).toBe(401), 30_000);
    expect(await status(stored.credential)).toBe(200);
  });

  test('that has expired is refused', async () => {
    // Creating a key takes time; on a busy machine more than its validity.
    const usable = async (seconds: number): Promise<string> => {
      const { credential } = await create('--expires', new Date(Date.now() + seconds * 1000).toISOString());
      const isGood = credential !== '' && (await status(credential)) === 200;
      return isGood || seconds > 30 ? credential : usable(seconds * 4);
    };
    const credential = await usable(2);
    await eventually(async () => expect(await status(credential)).toBe(401), 180_000);
  }, 180_000);

  test.each([
    ['in the past', -1],
    ['in more than a year', 400],
  ])('that would expire %s is refused', async (_, days) => {
    const expires = new Date(Date.now() + days * 86_400_000).toISOString();
    const options = ['--user', 'carol@example.net', '--name', 'k', '--expires', expires];
    expect((await run(['api-key', 'create', ...options])).code).toBe(2);
  });

  test('is listed without its secret', async () => {
    const { credential, id } = await create();
    const { stdout } = await run(['api-key', 'list', '--user', 'carol@example.net']);
    const secret = Buffer.from(credential, 'base64').toString().split(':')[1]!;
    expect(stdout).toContain(id);
    expect(stdout).toContain('expired');
    expect(stdout).toContain('revoked');
    expect(stdout).not.toContain(secret);
  });
});

describe('tag', () => {
  test('is added and removed', async () => {
    const object = 'as-set/AS64500:AS-CUSTOMERS';
    expect((await run(['tag', 'add', 'reviewed', object, '--source', 'TEST', '--data', 'today'])).stdout).toBe(
      '1 object changed\n',
    );
    const listed = async () => JSON.parse((await run(['tag', 'list', 'reviewed', '--json'])).stdout);
    expect(await listed()).toMatchObject([{ tag: 'reviewed', source: 'TEST', data: 'today' }]);
    expect((await run(['tag', 'remove', 'reviewed', object, '--source', 'TEST'])).code).toBe(0);
    expect(await listed()).toEqual([]);
  });

  test('of a missing object exits with 2', async () => {
    expect((await run(['tag', 'add', 'reviewed', 'as-set/AS-ABSENT', '--source', 'TEST'])).code).toBe(2);
  });
});

test('email excludes an address from objects until the mark is removed', async () => {
  const person = `person:         Marked Person
address:        Example Street 5
phone:          +31 20 555 0105
e-mail:         registry@example.net
nic-hdl:        AUTO-1
mnt-by:         EXAMPLE-MNT
source:         TEST
`;
  const create = async () => (await whois.create('person', person, '?dry-run')).status;
  expect((await run(['email', 'mark', 'Registry@example.net', '--as', 'excluded'])).stdout).toBe('1 address marked\n');
  expect(await create()).toBe(400);
  expect((await run(['email', 'list'])).stdout).toMatch(/^ADDRESS .*\nregistry@example\.net +excluded /);
  expect((await run(['email', 'unmark', 'registry@example.net', '--as', 'excluded'])).code).toBe(0);
  expect(await create()).toBe(200);
});

test('block refuses a network, on paths of every kind, until it is removed', async () => {
  // The client may use either address.
  const networks = ['127.0.0.1', '::1'];
  for (const network of networks) {
    const { code } = await run(['block', 'add', network, '--reason', 'a test', '--by', 'olga']);
    expect(code).toBe(0);
  }
  await eventually(async () => expect((await rest('/metadata/sources')).status).toBe(403));
  const { status, text } = await whois.lookup('mntner', 'EXAMPLE-MNT');
  expect([status, text]).toEqual([403, expect.stringContaining('has been blocked')]);
  expect((await run(['block', 'list'])).stdout).toMatch(/^127\.0\.0\.1\/32 .* olga +a test$/m);
  for (const network of networks) expect((await run(['block', 'remove', network])).code).toBe(0);
  await eventually(async () => expect((await rest('/metadata/sources')).status).toBe(200));
});

test('limits show a client’s usage, through the whole system', async () => {
  const { limits } = JSON.parse((await rest('/metadata/limits.json')).text);
  expect(limits.limit[0]).toMatchObject({ name: 'personal-objects', most: 5000, seconds: 86400 });
});

test('status shows every source', async () => {
  const { code, stdout } = await run(['status']);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^TEST +main +\d+ .*\nEXAMPLE-GRS +grs +\d+/m)]);
});

test('without a running system the program says so and exits with 2', async () => {
  const { code, stderr } = await cadastre({ dataDirectory: file('nothing-here') }, ['status']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('No registry is running')]);
});

test('no log contains a secret', async () => {
  const made = await run(['api-key', 'create', '--user', 'alice@example.net', '--name', 'logged']);
  const credential = made.stdout.trim();
  await whois.lookup('person', 'AE1-TEST', '?password=hush-7261', { credential });
  await rest('/TEST/person/AE1-TEST', { plain: true, credential });
  await whois.create('person', 'person: x', '?override=hush-7261', { credential });
  await rest('/TEST/person/AE1-TEST', { headers: { cookie: 'session=hush-7261', authorization: 'Bearer hush-7261' } });
  await system.stop();
  const names = await readdir(file('logs'));
  const logs = (await Promise.all(names.map((name) => readFile(join(file('logs'), name), 'utf8')))).join('');
  const secrets = [credential, system.credential].flatMap((one) => [
    one,
    Buffer.from(one, 'base64').toString().split(':')[1]!,
  ]);
  expect(names.length).toBeGreaterThan(5);
  expect([...secrets, 'hush-7261'].filter((secret) => logs.includes(secret))).toEqual([]);
});
