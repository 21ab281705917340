import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reservePort } from '@cadastre/service';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { parse } from 'yaml';
import { cadastre as run } from '../harness/cadastre.js';

// The commands for people: they use the registry over REST only.
const system = inject('sharedSystem');
let home: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'cadastre-home-'));
  await writeFile(join(home, 'ca.pem'), system.certificateText);
  const { code, stderr } = await login('--name', 'trial');
  expect([code, stderr]).toEqual([0, expect.stringContaining('trial is the current registry, with the source TEST')]);
});
afterAll(() => rm(home, { recursive: true, force: true }));

const cadastre = (args: string[], stdin = '') => run(system, args, stdin, { HOME: home, XDG_CONFIG_HOME: '' });
const login = (...args: string[]) =>
  cadastre(['login', system.https, '--ca-file', join(home, 'ca.pem'), ...args], `${system.credential}\n`);

const setText = (name: string, descr: string) => `as-set:         ${name}
descr:          ${descr}
members:        AS64500,
+
                AS64501
tech-c:         EN1-TEST
admin-c:        AE1-TEST
mnt-by:         EXAMPLE-MNT
source:         TEST
`;

describe('login', () => {
  test('stores the credential for its user alone', async () => {
    const file = join(home, '.config/cadastre/contexts.json');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(file, 'utf8')).contexts.trial).toMatchObject({ apiKey: system.credential });
    const { stdout } = await cadastre(['context', 'list']);
    expect(stdout).toMatch(/^NAME +CURRENT +URL +SOURCE +CREDENTIAL\ntrial +yes +https:\S+ +TEST +yes\n$/);
  });

  test.each<[string, string[], string, string]>([
    ['a wrong credential', [], 'wrong\n', 'redential'],
    ['no credential', [], '\n', 'No credential on standard input'],
    ['a source that there is not', ['--source', 'NONE'], '', 'The registry has no source NONE; it has TEST'],
  ])('%s is refused, and nothing is stored', async (_what, args, stdin, message) => {
    const all = ['login', system.https, '--ca-file', join(home, 'ca.pem'), '--name', 'other', ...args];
    const { code, stderr } = await cadastre(all, stdin || system.credential);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect((await cadastre(['context', 'list'])).stdout).not.toContain('other');
  });

  test('an API key is not sent over plain HTTP', async () => {
    const { code, stderr } = await cadastre(['login', system.http], system.credential);
    expect([code, stderr]).toEqual([2, expect.stringContaining('An API key needs https')]);
  });

  test('several registries: each command chooses one', async () => {
    expect((await cadastre(['login', system.http, '--anonymous', '--name', 'reader'])).code).toBe(0);
    expect((await cadastre(['get', 'as-set/AS-NONE', '--context', 'nobody'])).stderr).toContain('No registry "nobody"');
    const deleted = await cadastre(['delete', 'mntner/EXAMPLE-MNT']);
    expect([deleted.code, deleted.stderr]).toEqual([2, expect.stringMatching(/HTTPS|redential/)]);
    expect((await cadastre(['context', 'use', 'trial'])).code).toBe(0);
    expect((await cadastre(['logout', 'reader'])).stdout).toBe('reader is no longer stored.\n');
    expect((await cadastre(['context', 'list'])).stdout).toMatch(/^NAME.*\ntrial +yes [^\n]*\n$/);
  });
});

describe('objects', () => {
  const name = 'AS64500:AS-LINE';

  test('apply tries, creates, leaves alone and changes', async () => {
    const file = join(home, 'set.txt');
    await writeFile(file, setText(name, 'First'));
    const tried = await cadastre(['apply', '-f', file, '--dry-run']);
    expect([tried.code, tried.stdout]).toEqual([0, `created       as-set: ${name}\n`]);
    expect(tried.stderr).toContain('nothing was written');
    expect((await cadastre(['get', `as-set/${name}`])).code).toBe(2);
    expect((await cadastre(['apply', '-f', file])).stdout).toBe(`created       as-set: ${name}\n`);
    expect((await cadastre(['apply', '-f', file])).stdout).toBe(`unchanged     as-set: ${name}\n`);
    const changed = await cadastre(['apply', '-f', '-'], setText(name, 'Second'));
    expect(changed.stdout).toBe(`modified      as-set: ${name}\n`);
  });

  test('get prints text, JSON and YAML', async () => {
    const { stdout } = await cadastre(['get', `as-set/${name}`, 'mntner/EXAMPLE-MNT']);
    expect(stdout).toMatch(/as-set: +AS64500:AS-LINE\ndescr: +Second\n[\s\S]*\n\n[\s\S]*mntner: +EXAMPLE-MNT\n/);
    const json = JSON.parse((await cadastre(['get', `as-set/${name}`, '-o', 'json'])).stdout);
    expect(json).toMatchObject([{ type: 'as-set', source: { id: 'test' } }]);
    expect(parse((await cadastre(['get', `as-set/${name}`, '-o', 'yaml'])).stdout)).toEqual(json);
  });

  test('the past: a list of versions, their difference, an earlier state', async () => {
    const list = await cadastre(['history', 'list', `as-set/${name}`]);
    expect(list.stdout).toMatch(/^VERSION +DATE +OPERATION +REASON\n1 +\S+ +ADD\/UPD +-\n2 +\S+ +ADD\/UPD +-\n$/);
    const { stdout } = await cadastre(['diff', `as-set/${name}`]);
    expect(stdout).toContain(`--- as-set/${name} version 1\n+++ as-set/${name} version 2\n@@ `);
    expect(stdout).toMatch(/\n-descr: +First\n\+descr: +Second\n/);
    expect((await cadastre(['diff', `as-set/${name}`, '1', '1'])).stderr).toBe('Versions 1 and 1 are equal.\n');
  });

  test('search finds by reference, type and flag', async () => {
    const args = ['search', 'EXAMPLE-MNT', '--inverse', 'mnt-by', '--type', 'as-set', '--max', '9999'];
    // The index follows by itself.
    await expect
      .poll(async () => (await cadastre([...args, '--flag', 'no-referenced'])).stdout)
      .toMatch(/^as-set: +AS64500:AS-LINE$/m);
    const { code, stderr } = await cadastre(['search', 'AS-NONE-AT-ALL']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('no entries found')]);
  });

  test('a refused batch writes nothing, and names what is wrong at each object', async () => {
    const texts = [setText('AS64500:AS-GOOD', 'Good'), setText('AS64500:AS-BAD', 'Bad').replace('EN1', 'NO9')];
    const { code, stdout, stderr } = await cadastre(['apply', '-f', '-'], texts.join('\n'));
    expect([code, stdout]).toEqual([
      2,
      'skipped       as-set: AS64500:AS-GOOD\ninvalid       as-set: AS64500:AS-BAD\n',
    ]);
    expect(stderr).toMatch(/tech-c: NO9-TEST: [\s\S]*refused 2 objects\. Nothing was written\.\n$/);
    expect((await cadastre(['get', 'as-set/AS64500:AS-GOOD'])).code).toBe(2);
  });

  test('a write whose answer is lost is sent again, and made once', async () => {
    const url = new URL(system.https);
    const relay = await loseAnswer(Number(url.port));
    url.port = String(relay.port);
    const ca = ['--ca-file', join(home, 'ca.pem')];
    try {
      const relayed = await cadastre(['login', url.href, ...ca, '--name', 'relayed'], system.credential);
      expect([relayed.code, relayed.stderr]).toEqual([0, expect.stringContaining('relayed is the current registry')]);
      const text = setText('AS64500:AS-ONCE', 'x'.repeat(10_000));
      const applied = cadastre(['apply', '-f', '-', '--context', 'relayed'], text);
      await expect
        .poll(() => cadastre(['get', 'as-set/AS64500:AS-ONCE', '--context', 'trial']))
        .toMatchObject({ code: 0 });
      relay.cut();
      expect(await applied).toEqual({
        code: 0,
        stdout: 'created       as-set: AS64500:AS-ONCE\n',
        stderr: `${url.href.replace(/\/$/, '')} does not answer; sending the request again\n`,
      });
    } finally {
      relay.close();
      await cadastre(['logout', 'relayed']);
      await cadastre(['context', 'use', 'trial']);
    }
  });

  test.each([
    ['no object', '% a comment\n', 'No object to write'],
    ['a text that is none', 'as-set: AS-X\nnonsense\n', '-:1: '],
  ])('a file with %s is refused before anything is sent', async (_what, text, message) => {
    const { code, stderr } = await cadastre(['apply', '-f', '-'], text);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  test('delete tries, and deletes with a reason', async () => {
    expect((await cadastre(['delete', `as-set/${name}`, '--dry-run'])).stdout).toBe(`deleted       as-set/${name}\n`);
    const { code } = await cadastre(['delete', `as-set/${name}`, '--reason', 'no longer used']);
    expect([code, (await cadastre(['get', `as-set/${name}`])).code]).toEqual([0, 2]);
    const list = await cadastre(['history', 'list', `as-set/${name}`, '--json']);
    expect(JSON.parse(list.stdout)).toMatchObject([{}, {}, { operation: 'DEL', reason: 'no longer used' }]);
  });
});

test('a registry that does not respond is named', async () => {
  const url = `http://127.0.0.1:${await reservePort()}`;
  const { code, stderr } = await cadastre(['login', url, '--anonymous']);
  expect([code, stderr]).toEqual([2, expect.stringContaining(`${url} does not respond (ECONNREFUSED)`)]);
});

test('completion knows the types, and the sources of the registry', async () => {
  const { stdout } = await cadastre(['completion', 'bash']);
  expect(stdout).toContain("'/search --source') found='TEST");
  expect(stdout).toMatch(/'\/search --type'\) found='inetnum /);
});

/** A relay to a port of this machine that loses the answer to the first large request: `cut` ends that connection. */
async function loseAnswer(port: number) {
  const sockets = new Set<Socket>();
  let lost: Socket | undefined;
  const server = createServer((client) => {
    const registry = dial(port);
    sockets.add(client).add(registry);
    let sent = 0;
    client.on('data', (bytes) => {
      sent += bytes.length;
      if (sent > 8_000) lost ??= client;
      registry.write(bytes);
    });
    registry.on('data', (bytes) => client !== lost && client.write(bytes));
    client.on('error', () => {}).on('close', () => registry.destroy());
    registry.on('error', () => {}).on('close', () => client.destroy());
  });
  await once(server.listen(0), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    cut: () => lost?.destroy(),
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
