import { execFile } from 'node:child_process';
import { appendFile, copyFile, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isSkipped } from '@cadastre/service/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { projectDirectory } from './harness/compose-file.js';
import { eventually } from './harness/eventually.js';

// docs/start/install.md as its reader follows it, with Compose 2 and a Docker engine. `make test-images` provides the
// engine and the images; without them these tests are skipped.
const missing = process.env.CADASTRE_TEST_COMPOSE ? [] : ['CADASTRE_TEST_COMPOSE (`make test-images` sets it)'];

/** A user who is root needs no sudo. */
const asRoot = '[ "$(id -u)" != 0 ] || sudo() { "$@"; }';

const isLeftOut = isSkipped('compose', missing, { isOptional: true });

describe.skipIf(isLeftOut)('docs/start/install.md', { timeout: 300_000 }, () => {
  let folder: string;
  let key: string;
  let blocks: string[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cadastre-compose-'));
    for (const file of ['compose.yaml', '.env.example'])
      await copyFile(join(projectDirectory, file), join(folder, file));
    await cp(join(projectDirectory, 'deploy/compose'), join(folder, 'deploy/compose'), { recursive: true });
    const pages = ['start/install.md', 'use/mirroring.md', 'operate/production.md'].map((page) =>
      readFile(join(projectDirectory, 'docs', page), 'utf8'),
    );
    const text = (await Promise.all(pages)).join('\n');
    blocks = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block!);
    const first = /^```text registry\.rpsl\n(.*?)^```$/ms.exec(text)![1]!;
    const registry = first
      .replaceAll(/^source: .*$/gm, 'source: TEST')
      .replaceAll('HM1-EXAMPLE', 'HM1-TEST')
      .replace(/^auth: .*$/m, 'auth: SSO you@example.net');
    await writeFile(join(folder, 'registry.rpsl'), registry);
  });

  afterAll(async () => {
    await shell(
      'COMPOSE_PROFILES=whois,mirror,events,mailpit,opensearch docker compose down --volumes --remove-orphans --timeout 10',
    );
    await rm(folder, { recursive: true, force: true });
  });

  /** Runs commands in the folder of the registry. Rejects with their output when one fails. */
  async function shell(script: string): Promise<string> {
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, LC_ALL: 'C.UTF-8' };
    const options = { cwd: folder, env, maxBuffer: 16 * 1024 * 1024 };
    return (await promisify(execFile)('bash', ['--norc', '-euc', `${asRoot}\n${script}`], options)).stdout;
  }

  /** Runs the block of a page that has this text, and then more. */
  function follow(part: string, more = ''): Promise<string> {
    const found = blocks.find((block) => block.includes(part));
    if (found === undefined) throw new Error(`no block has "${part}"`);
    return shell(`${found}\n${more}`);
  }

  const settings = (...lines: string[]) => appendFile(join(folder, '.env'), `${lines.join('\n')}\n`);
  const curl = (path: string, options = '') =>
    shell(`curl --silent --show-error --fail --cacert certificate.pem ${options} 'https://localhost:8443${path}'`);
  const status = (service: string) =>
    shell(`docker inspect --format '{{.State.Health.Status}}' "$(docker compose ps --quiet ${service})"`);

  test('two commands start a registry', async () => {
    await follow('secrets.sh        # once');
    for (const service of ['gateway', 'objects', 'auth', 'search', 'postgres', 'redis']) {
      expect([service, (await status(service)).trim()]).toEqual([service, 'healthy']);
    }
  });

  test('the operator reads the state, makes a key and loads the first objects', async () => {
    const said = await follow('docker compose run --rm cli status', 'echo "KEY=$KEY"');
    expect(said).toContain('TEST');
    key = /^KEY=([A-Za-z0-9+/=]{60,})$/m.exec(said)![1]!;
    expect(await follow('docker compose run --rm -T cli load')).toMatch(/\b0 rejected\b/);
  });

  test('clients of this host trust the certificate', async () => {
    expect(await follow("docker compose exec gateway node -e 'process.stdout.write")).toContain('TEST');
  });

  test('port 43 answers, and the mirror service publishes', async () => {
    await settings('COMPOSE_PROFILES=whois,mirror', 'CADASTRE_WHOIS_ADDRESS=whois:9090');
    await settings('CADASTRE_MIRROR_ADDRESS=mirror:9090', 'CADASTRE_MIRROR_PUBLISH=TEST', 'CADASTRE_MIRROR_DUMPS=TEST');
    await follow('mkdir -p mirror/keys');
    expect(await readFile(join(folder, 'public-key.pem'), 'utf8')).toContain('BEGIN PUBLIC KEY');
    expect(await shell(`exec 3<>/dev/tcp/localhost/4343; printf -- '-r HM1-TEST\\r\\n' >&3; cat <&3`)).toMatch(
      /^nic-hdl: +HM1-TEST$/m,
    );
    await eventually(() => curl('/nrtmv4/TEST/update-notification-file.jose'), 60_000);
    await eventually(() => curl('/dumps/test/test.db.gz'), 60_000);
  });

  test('Mailpit shows the mails', async () => {
    await follow('cat >> .env');
    const values = ['as-set: AS-WALKER', 'tech-c: HM1-TEST', 'admin-c: HM1-TEST', 'notify: noc@example.net'];
    const object = [...values, 'mnt-by: EXAMPLE-HM-MNT', 'source: TEST', ''].join('\n');
    await writeFile(join(folder, 'as-set.txt'), object);
    const header = `--header 'Authorization: Basic ${key}'`;
    expect(await curl('/syncupdates/TEST', `${header} --form DATA='<as-set.txt'`)).toContain('Create SUCCEEDED');
    const messages = () => shell('curl --silent --fail http://localhost:8025/api/v1/messages');
    await eventually(async () => expect(await messages()).toContain('noc@example.net'), 60_000);
    await shell('docker compose run --rm cli mail test test@example.net');
    expect(await messages()).toContain('test@example.net');
  });

  test('OpenSearch builds its index beside the other one, and takes over', async () => {
    await follow('docker compose --profile opensearch up');
    const health = () => shell("docker inspect --format '{{.State.Health.Status}}' build-index");
    await eventually(async () => expect(await health()).toBe('healthy\n'), 120_000);
    await settings('CADASTRE_SEARCH_ADAPTER=opensearch', 'COMPOSE_PROFILES=opensearch');
    await shell('docker compose up --detach --wait && docker rm --force build-index');
    expect(await curl('/search.txt?query-string=HM1-TEST')).toMatch(/^nic-hdl: +HM1-TEST$/m);
  });
});
