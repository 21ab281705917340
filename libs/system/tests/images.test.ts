import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { verifyNotification } from '@cadastre/nrtm';
import { isSkipped } from '@cadastre/service/testing';
import { getContainerRuntimeClient, Network, type StartedNetwork, type StartedTestContainer } from 'testcontainers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ComposeFile, projectDirectory, readComposeFile } from './harness/compose-file.js';
import { type Containers, containersOf } from './harness/containers.js';
import { eventually } from './harness/eventually.js';
import { type Rest, restClient } from './harness/rest.js';
import { documentOf, objectOf, values, type WhoisClient, whoisClient } from './harness/whois.js';

// The built images as in compose.yaml, on a real Docker engine with a real PostgreSQL and Redis. `make test-images`
// provides the engine and the images; without them these tests are skipped.
const services = ['objects', 'auth', 'search', 'gateway', 'whois', 'mirror'] as const;
const programs = [...services, 'cli'] as const;
const databaseOwners = ['objects', 'auth', 'mirror'];
const publicPorts: Record<string, number[]> = { gateway: [8080, 8443, 8444], whois: [4343] };
const registry = `person:         Wanda Walker
address:        1 Example Street
phone:          +31 20 555 0100
e-mail:         wanda@example.net
nic-hdl:        WW1-TEST
mnt-by:         WALKER-MNT
source:         TEST

mntner:         WALKER-MNT
admin-c:        WW1-TEST
upd-to:         wanda@example.net
auth:           SSO wanda@example.net
mnt-by:         WALKER-MNT
source:         TEST
`;
const asSet = (description: string) => `as-set:         AS-WALKER
descr:          ${description}
tech-c:         WW1-TEST
admin-c:        WW1-TEST
mnt-by:         WALKER-MNT
source:         TEST
`;

const missing = process.env.CADASTRE_TEST_IMAGES ? [] : ['CADASTRE_TEST_IMAGES (`make test-images` sets it)'];

describe.skipIf(isSkipped('the images', missing, { isOptional: true }))('the images', { timeout: 240_000 }, () => {
  const running = new Map<string, StartedTestContainer>();
  let directory: string;
  let file: ComposeFile;
  let network: StartedNetwork;
  let containers: Containers;
  let rest: Rest & { close(): void };
  let whois: WhoisClient;
  let publicKey: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'cadastre-images-'));
    const variables = {
      CADASTRE_SECRETS: join(directory, 'secrets'),
      CADASTRE_WHOIS_ADDRESS: 'whois:9090',
      CADASTRE_MIRROR_ADDRESS: 'mirror:9090',
      CADASTRE_MIRROR_FILES: mirrorFiles(),
      CADASTRE_MIRROR_PUBLISH: 'TEST',
      CADASTRE_MIRROR_DUMPS: 'TEST',
      CADASTRE_MIRROR_ORIGINS_FILE: '/mirror/origins.json',
      CADASTRE_GRS_SOURCES: 'TEST-GRS',
    };
    await promisify(execFile)(join(projectDirectory, 'deploy/compose/secrets.sh'), {
      env: { ...process.env, ...variables },
    });
    network = await new Network().start();
    file = readComposeFile(variables);
    containers = containersOf(file, network);
    await start('postgres', 'redis');
    await addMirrorToDatabase();
    for (const owner of databaseOwners) await containers.run(`migrate-${owner}`, ['migrate']);
    await start('objects', 'auth', 'search');
    await start('gateway');
    rest = restClient(await addresses());
    whois = whoisClient(rest, await makeKey());
    await loadRegistry();
    publicKey = await prepareMirror();
    await start('whois', 'mirror');
  }, 600_000);

  afterAll(async () => {
    rest?.close();
    for (const container of [...running.values()].reverse()) await container.stop();
    await containers?.removeVolumes();
    await network?.stop();
    await rm(directory, { recursive: true, force: true });
  });

  /** One after the other: on a busy machine, several that start together may not reach the database in time. */
  const start = async (...names: string[]) => {
    for (const name of names) running.set(name, await containers.start(name, publicPorts[name]));
  };

  /** Runs JavaScript inside a service's container and returns its output. */
  const inside = async (service: string, script: string) => {
    const { exitCode, output } = await running.get(service)!.exec(['node', '-e', script]);
    expect(exitCode, output).toBe(0);
    return output;
  };

  const addresses = async () => {
    const gateway = running.get('gateway')!;
    const certificateText = await inside(
      'gateway',
      'process.stdout.write(fs.readFileSync("/data/certificate.pem", "utf8"))',
    );
    const at = (port: number) => `localhost:${gateway.getMappedPort(port)}`;
    return {
      http: `http://${at(8080)}`,
      https: `https://${at(8443)}`,
      certHttps: `https://${at(8444)}`,
      certificateText,
    };
  };

  const loadRegistry = async () => {
    const dump = join(directory, 'registry.rpsl');
    await writeFile(dump, registry, { mode: 0o644 });
    const files = { [dump]: '/registry.rpsl' };
    await containers.run('cli', ['load', '--source', 'TEST', '--wait', '/registry.rpsl'], { files });
  };

  const mirrorFiles = () => join(directory, 'mirror');

  /** As in docs/use/mirroring.md. */
  const mirrorKeys = (command: string) =>
    containers.run('cli', ['mirror', 'keys', command, '--folder', '/keys'], {
      folders: { [join(mirrorFiles(), 'keys')]: '/keys' },
    });

  /** Makes the key of publications, and the file of origins: the registry follows itself. Returns the public key. */
  const prepareMirror = async () => {
    await mkdir(join(mirrorFiles(), 'keys'), { recursive: true });
    await chmod(join(mirrorFiles(), 'keys'), 0o777);
    // The engine mixes the lines of standard output and standard error.
    const key = (await mirrorKeys('create')).filter((line) => pemLine.test(line)).join('\n');
    const url = 'file:///data/nrtmv4/TEST/update-notification-file.jose';
    const origins = { 'TEST-GRS': { nrtm4: { url, source: 'TEST', key } } };
    await writeFile(join(mirrorFiles(), 'origins.json'), JSON.stringify(origins));
    return key;
  };

  /** Resets the database to a version before the mirror service existed, and follows docs/use/mirroring.md. */
  const addMirrorToDatabase = async () => {
    const remove = `psql -U postgres -d cadastre -c 'drop owned by mirror' -c 'drop role mirror'`;
    for (const command of [remove, 'sh /docker-entrypoint-initdb.d/databases.sh']) {
      const { exitCode, output } = await running.get('postgres')!.exec(['sh', '-c', command]);
      expect(exitCode, output).toBe(0);
    }
  };

  /** The newest notification file; rejects when the key of the operator has not signed it. */
  const readNotification = async () => {
    const { status, text: signed } = await rest('/nrtmv4/TEST/update-notification-file.jose');
    expect(status, signed).toBe(200);
    const verified = await verifyNotification(signed, [publicKey]);
    return JSON.parse(verified!.payload) as Record<string, unknown>;
  };

  /** An operator creates the first key. */
  const makeKey = async () => {
    const said = await containers.run('cli', [
      ...['api-key', 'create', '--user', 'wanda@example.net', '--name', 'first', '--create-account'],
    ]);
    return said.find((line) => /^[A-Za-z0-9+/=]{60,}$/.test(line))!;
  };

  test('an object is created, looked up, found, changed and deleted', async () => {
    const created = await whois.create('as-set', asSet('first'));
    expect(created.status, created.text).toBe(200);
    expect((await rest('/TEST/as-set/AS-WALKER.txt', { plain: true })).text).toContain('descr:          first');
    const found = await eventually(async () => {
      const answer = await rest('/search.json?query-string=AS-WALKER&flags=no-referenced');
      expect(answer.status, answer.text).toBe(200);
      return answer;
    });
    expect(values(objectOf(found), 'as-set')).toEqual(['AS-WALKER']);
    expect((await whois.update('as-set', 'AS-WALKER', asSet('second'))).status).toBe(200);
    expect((await whois.remove('as-set', 'AS-WALKER')).status).toBe(200);
    expect((await whois.lookup('as-set', 'AS-WALKER')).status).toBe(404);
  });

  test('abuse contacts and geolocation are found', async () => {
    expect((await rest('/abuse-contact/AS64500.json')).status).toBe(404);
    expect((await rest('/geolocation.txt?ipkey=192.0.2.1')).status).toBe(404);
  });

  test('a response names the commit of the build, like the label of the image', async () => {
    const { version } = documentOf(await whois.lookup('person', 'WW1-TEST')) as { version: Record<string, string> };
    const client = await getContainerRuntimeClient();
    const image = client.container.dockerode.getImage(file.services.gateway!.image);
    const labels = (await image.inspect()).Config.Labels;
    expect(version).toMatchObject({
      'commit-id': labels['org.opencontainers.image.revision'],
      timestamp: labels['org.opencontainers.image.created'],
      version: labels['org.opencontainers.image.version'],
    });
  });

  test('the gateway counts requests of clients in Redis', async () => {
    const countKeys = 'redis-cli -a "$(cut -d" " -f2 /run/secrets/redis.conf)" --no-auth-warning dbsize';
    await eventually(async () => {
      await whois.lookup('person', 'WW1-TEST');
      const { output } = await running.get('redis')!.exec(['sh', '-c', countKeys]);
      expect(Number(output.trim())).toBeGreaterThan(0);
    });
  });

  test('whois answers on its public port, and counts its clients in Redis', async () => {
    const socket = connect(running.get('whois')!.getMappedPort(4343), 'localhost');
    socket.write('-r -T mntner WALKER-MNT\r\n');
    expect(await text(socket)).toContain('mntner:         WALKER-MNT\n');
    const metrics = await inside(
      'whois',
      'fetch("http://127.0.0.1:9091/metrics").then((a) => a.text()).then(console.log)',
    );
    expect(metrics).toMatch(/^cadastre_limits_shared\{.*\} 1$/m);
  });

  test('the gateway serves what mirror publishes: dumps, and a source signed by the key of the operator', async () => {
    const notification = await eventually(readNotification, 60_000);
    expect(notification).toMatchObject({ source: 'TEST', version: expect.any(Number) });
    await eventually(async () => expect((await rest('/dumps/test/test.db.gz')).status).toBe(200), 60_000);
  });

  test('a copy follows the published source', async () => {
    const lookup = () => rest('/TEST-GRS/mntner/WALKER-MNT.txt', { plain: true });
    await eventually(async () => expect((await lookup()).text).toContain('mntner:         WALKER-MNT'), 120_000);
    await eventually(async () => {
      const { mirrors } = JSON.parse((await containers.run('cli', ['mirror', 'status', '--json'])).join('\n'));
      expect(mirrors).toMatchObject([{ source: 'TEST-GRS', state: 'current' }]);
    }, 60_000);
  });

  test('a next key that the operator makes is announced', async () => {
    await mirrorKeys('rotate');
    await eventually(async () => expect(await readNotification()).toHaveProperty('next_signing_key'), 120_000);
  });

  test('the gateway serves the web interface', async () => {
    const page = await rest('/', { accept: 'text/html' });
    expect([page.status, page.headers['content-type']]).toEqual([200, expect.stringContaining('text/html')]);
  });

  test.each(services)('%s is uid 10001 without any capability, and its files cannot be changed', async (service) => {
    const output = await inside(service, lookAround);
    expect(JSON.parse(output)).toEqual({ uid: 10001, gid: 10001, capabilities: '0000000000000000', write: 'EROFS' });
  });

  test.each(services)('%s has no shell', async (service) => {
    expect((await running.get(service)!.exec(['sh', '-c', 'true'])).exitCode).not.toBe(0);
  });

  test.concurrent.each(programs)('%s prints its help', async (program) => {
    expect((await containers.run(program, ['--help'])).join('\n')).toMatch(/CADASTRE_|Usage: cadastre/);
  });

  test('migrations may be run again', async () => {
    for (const owner of databaseOwners) await containers.run(`migrate-${owner}`, ['migrate']);
  });

  test('every service stops gracefully', async () => {
    const client = await getContainerRuntimeClient();
    for (const service of [...services].reverse()) {
      const container = running.get(service)!;
      await container.stop({ remove: false, timeout: 40_000 });
      const { State } = await client.container.inspect(client.container.getById(container.getId()));
      expect([service, State.ExitCode]).toEqual([service, 0]);
      await client.container.remove(client.container.getById(container.getId()), { removeVolumes: true });
      running.delete(service);
    }
  });
});

const pemLine = /^(?:-----(?:BEGIN|END) PUBLIC KEY-----|[A-Za-z0-9+/]{20,}={0,2})$/;

/** Prints the user and capabilities of a process, and how writing to the program's folder fails. */
const lookAround = `
  const status = fs.readFileSync('/proc/self/status', 'utf8');
  let write = 'works';
  try { fs.writeFileSync('/app/x', ''); } catch (error) { write = error.code; }
  const capabilities = /CapEff:\\s*(\\w+)/.exec(status)[1];
  process.stdout.write(JSON.stringify({ uid: process.getuid(), gid: process.getgid(), capabilities, write }));
`;
