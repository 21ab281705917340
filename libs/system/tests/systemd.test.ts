import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { reservePort } from '@cadastre/service';
import {
  type Authority,
  createAuthority,
  emptyTestDatabase,
  isInstalled,
  isSkipped,
  type TestDatabase,
} from '@cadastre/service/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { read, settings, variables } from '../../../deploy/helm/tests/settings.js';
import { eventually } from './harness/eventually.js';
import { chartLimit, type LimitedService } from './harness/memory-limits.js';

// The units of deploy/systemd. systemd itself does not run here: the programs run as plain processes with the commands and
// the environment of the units.
const project = fileURLToPath(new URL('../../../', import.meta.url));
const folder = join(project, 'deploy/systemd');
const services: LimitedService[] = ['objects', 'auth', 'search', 'events', 'whois', 'mirror', 'gateway'];
const owners: string[] = ['objects', 'auth', 'mirror'];
const optional = readdirSync(join(folder, 'optional'));

type Entries = (readonly [key: string, value: string])[];

function entriesOf(file: string): Entries {
  const lines = readFileSync(join(folder, file), 'utf8').split('\n');
  return lines.flatMap((line) => {
    const [, key, value] = /^([A-Za-z]+)=(.*)$/.exec(line) ?? [];
    return key === undefined ? [] : [[key, value!] as const];
  });
}

/** What a unit says, with the drop-in that all have, in the order of systemd, and with its name in place of specifiers. */
function unitOf(service: string): Entries {
  const entries = [...entriesOf(`cadastre-${service}.service`), ...entriesOf('cadastre-.service.d/common.conf')];
  return entries.map(([key, value]) => [key, value.replaceAll('%j', service).replaceAll('%N', `cadastre-${service}`)]);
}

function valuesOf(unit: Entries, key: string): string[] {
  return unit.flatMap(([name, value]) => (name === key ? [value] : []));
}

function assignments(texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    texts.map((one) => [one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1)] as const),
  );
}

const registry = readFileSync(join(folder, 'registry.env'), 'utf8').split('\n');

/** The environment of a service: files take precedence. */
function environmentOf(service: string): Record<string, string> {
  const given = assignments(registry.filter((line) => /^[A-Z]/.test(line)));
  return { ...assignments(valuesOf(unitOf(service), 'Environment')), ...given };
}

/** Files below the directory of credentials that settings name, and those that the unit loads. */
function credentialsOf(unit: Entries): { named: string[]; loaded: string[] } {
  const named = Object.values(assignments(valuesOf(unit, 'Environment'))).filter((value) => value.startsWith('%d/'));
  const loaded = valuesOf(unit, 'LoadCredential').map((value) => value.split(':')[0]!);
  return { named: named.map((value) => value.slice('%d/'.length)).sort(), loaded: loaded.sort() };
}

/** What the gateway on this machine answers to a URL of the registry. */
async function ask({ host, pathname }: URL, port: number): Promise<string> {
  const request = get({ host: '127.0.0.1', port, path: pathname, headers: { host }, rejectUnauthorized: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return text(response);
}

describe.each(services)('cadastre-%s.service', (service) => {
  const unit = unitOf(service);
  const own = assignments(valuesOf(unit, 'Environment'));

  test('sets settings that the service has', () => {
    const names = Object.keys(own).filter((name) => name !== 'NODE_ENV');
    expect(variables(settings[service]!)).toEqual(expect.arrayContaining(names));
  });

  test('has every setting that the service needs', () => {
    read(settings[service]!, environmentOf(service), fileURLToPath(import.meta.url));
  });

  test('loads the secrets that its settings name', () => {
    const { named, loaded } = credentialsOf(unit);
    expect(loaded).toEqual(named);
  });

  test('has the limit of memory of the chart', () => {
    const [, number, unitOfIt] = /^(\d+)([MG])$/.exec(valuesOf(unit, 'MemoryMax').join())!;
    expect(Number(number) * (unitOfIt === 'G' ? 2 ** 30 : 2 ** 20)).toBe(chartLimit(service));
  });

  test('starts again when it ends, and has no rights but those that it needs', () => {
    const said = Object.fromEntries(unit);
    expect(said).toMatchObject({
      Restart: 'always',
      StartLimitIntervalSec: '0',
      DynamicUser: 'yes',
      NoNewPrivileges: 'yes',
      ProtectSystem: 'strict',
      ProtectHome: 'yes',
      PrivateDevices: 'yes',
      SystemCallFilter: '@system-service',
      CapabilityBoundingSet: ['gateway', 'whois'].includes(service) ? 'CAP_NET_BIND_SERVICE' : '',
      WantedBy: 'cadastre.target',
    });
  });

  test('starts the program with the flags of its image', () => {
    const [, entry] = /^ENTRYPOINT (\[.*\])$/m.exec(readFileSync(join(project, 'Dockerfile'), 'utf8'))!;
    const flags = (JSON.parse(entry!) as string[]).filter((word) => word.startsWith('--'));
    const program = `/opt/cadastre/services/${service}/dist/main.js`;
    expect(valuesOf(unit, 'ExecStart')).toEqual([['/usr/bin/node', ...flags, program].join(' ')]);
    const migration = owners.includes(service) ? [`/usr/bin/node ${program} migrate`] : [];
    expect(valuesOf(unit, 'ExecStartPre')).toEqual(migration);
  });
});

test('no two services listen on the same port', () => {
  const all = services.map((service) => assignments(valuesOf(unitOf(service), 'Environment')));
  const ports = all.flatMap((own) =>
    Object.entries(own).flatMap(([name, value]) =>
      /_(LISTEN|OPERATIONS|PORT)$/.test(name) ? [value.split(':').at(-1)!] : [],
    ),
  );
  expect(new Set(ports).size).toBe(ports.length);
});

test('registry.env has settings of the services, and addresses on which they listen', () => {
  const known = new Set(Object.values(settings).flatMap(variables));
  const named = registry.flatMap((line) => /^#?([A-Z_]+)=/.exec(line)?.[1] ?? []);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
  const given = assignments(registry.filter((line) => /_ADDRESS=/.test(line)));
  for (const [name, address] of Object.entries(given)) {
    const service = /^CADASTRE_(.*)_ADDRESS$/.exec(name)![1]!.toLowerCase();
    const { CADASTRE_LISTEN: listen } = assignments(valuesOf(unitOf(service), 'Environment'));
    expect(address).toBe(`${service}:${listen!.split(':')[1]}`);
  }
});

test.each(optional)('optional/%s sets settings of its service, and loads what they name', (name) => {
  const service = name.split('-')[0]!;
  const entries = entriesOf(`optional/${name}`);
  const own = assignments(valuesOf(entries, 'Environment'));
  expect(variables(settings[service]!)).toEqual(expect.arrayContaining(Object.keys(own)));
  const { named, loaded } = credentialsOf(entries);
  // The keys that sign publications are a directory.
  expect(loaded).toEqual(Object.values(own).includes('%d') ? ['signing-key.pem'] : named);
});

const missing = isInstalled('systemd-analyze') ? [] : ['systemd-analyze'];

test.skipIf(isSkipped('systemd-analyze verify', missing, { isOptional: true }))(
  'systemd accepts the units, and finds few rights in them',
  async () => {
    const directory = mkdtempSync(join(tmpdir(), 'cadastre-units-'));
    try {
      cpSync(folder, directory, { recursive: true });
      const units = readdirSync(directory).filter((name) => /\.(service|target)$/.test(name));
      for (const name of optional) {
        const target = join(directory, `cadastre-${name.split('-')[0]}.service.d`);
        mkdirSync(target, { recursive: true });
        copyFileSync(join(folder, 'optional', name), join(target, name));
      }
      for (const name of [...units, 'cadastre-.service.d/common.conf']) {
        const file = join(directory, name);
        writeFileSync(file, readFileSync(file, 'utf8').replaceAll('/usr/bin/node', process.execPath));
      }
      const files = units.map((name) => join(directory, name));
      const { stderr } = await promisify(execFile)('systemd-analyze', ['verify', '--man=no', ...files]);
      expect(stderr).toBe('');
      // Rejects above 2.0; 10 is a service with all rights of root.
      const rated = files.filter((file) => file.endsWith('.service'));
      await promisify(execFile)('systemd-analyze', ['security', '--offline=yes', '--threshold=20', ...rated]);
    } finally {
      rmSync(directory, { recursive: true });
    }
  },
);

describe('programs with the commands and the environment of the units', () => {
  const running = new Map<string, ChildProcess>();
  const output = new Map<string, string>();
  const databases: TestDatabase[] = [];
  const ports = new Map<string, string>();
  let directory: string;
  let authority: Authority;

  /** A path or an address of the units on this machine. */
  const here = (service: string, given: string) =>
    given
      .replaceAll('%d', join(directory, 'credentials', service))
      .replaceAll('%S', join(directory, 'lib'))
      .replaceAll('/opt/cadastre/', project)
      .replace('/usr/bin/node', process.execPath)
      .replace(/\b[a-z]+(?=:90\d\d$)/, '127.0.0.1')
      .replace(/(?<=:)9[01]\d\d$/, (port) => ports.get(port)!);

  const environmentHere = (service: string): Record<string, string> => {
    const entries = Object.entries(environmentOf(service)).map(([name, value]) => {
      // A test may not take the ports below 1024.
      if (/^CADASTRE_(HTTP|HTTPS|CERT|WHOIS)_PORT$/.test(name)) return [name, ports.get(value)!];
      return [name, here(service, value)];
    });
    // Instead of an identity provider.
    if (service === 'auth') entries.push(['CADASTRE_DIRECTORY_CREATES_ACCOUNTS', 'true']);
    return { PATH: '/usr/local/bin:/usr/bin:/bin', ...(Object.fromEntries(entries) as Record<string, string>) };
  };

  const commandsOf = (service: string, key: string) =>
    valuesOf(unitOf(service), key).map((command) => here(service, command).split(' '));

  /** Makes what the operator puts into /etc/cadastre. */
  const provide = async (service: string) => {
    const certificate = authority.certify(service);
    const given: Record<string, string> = {
      [`/etc/cadastre/tls/${service}.crt`]: readFileSync(certificate.tlsCertFile, 'utf8'),
      [`/etc/cadastre/tls/${service}.key`]: readFileSync(certificate.tlsKeyFile, 'utf8'),
      '/etc/cadastre/tls/authority.crt': readFileSync(certificate.tlsCaFile, 'utf8'),
      '/etc/cadastre/secrets/mail-url': 'smtp://127.0.0.1:25',
    };
    if (owners.includes(service)) {
      const database = await emptyTestDatabase();
      databases.push(database);
      given[`/etc/cadastre/secrets/${service}-database-url`] = database.url;
    }
    for (const credential of valuesOf(unitOf(service), 'LoadCredential')) {
      const [id, path] = credential.split(':') as [string, string];
      const file = here(service, `%d/${id}`);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, given[path]!);
    }
    mkdirSync(here(service, `%S/cadastre-${service}`), { recursive: true });
  };

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'cadastre-systemd-'));
    authority = createAuthority();
    for (let n = 1; n <= 8; n++) {
      for (const port of [`900${n}`, `910${n}`]) ports.set(port, String(await reservePort()));
    }
    for (const port of ['43', '80', '443', '8444']) ports.set(port, String(await reservePort()));
    for (const service of services) await provide(service);
    for (const service of services) {
      const env = environmentHere(service);
      for (const [file, ...args] of commandsOf(service, 'ExecStartPre')) {
        // As systemd does with "Restart=always", also when a command before the start fails.
        await eventually(() => promisify(execFile)(file!, args, { env }));
      }
      const [[file, ...args]] = commandsOf(service, 'ExecStart') as [[string, ...string[]]];
      const child = spawn(file, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
      const keep = (chunk: Buffer) => output.set(service, `${output.get(service) ?? ''}${chunk}`);
      child.stdout.on('data', keep);
      child.stderr.on('data', keep);
      running.set(service, child);
    }
  });

  afterAll(async () => {
    for (const child of running.values()) {
      if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit');
    }
    for (const database of databases) await database.drop();
    authority?.remove();
    rmSync(directory, { recursive: true, force: true });
  });

  test.each(services)('%s answers its health check', async (service) => {
    const operations = environmentHere(service).CADASTRE_OPERATIONS;
    await eventually(async () => {
      const said = output.get(service);
      expect(running.get(service)!.exitCode, said).toBeNull();
      const answer = await fetch(`http://${operations}/ready`);
      expect([answer.status, await answer.text()], said).toEqual([200, 'ready\n']);
    }, 120_000);
  });

  /** Does what a line of docs/operate/production.md does; returns what it prints. */
  const follow = async (line: string): Promise<string> => {
    const [, url] = /^curl (https:\S+)$/.exec(line) ?? [];
    if (url !== undefined) return ask(new URL(url), Number(ports.get('443')));
    const [, query] = /^whois -h \S+ -- '(.*)'$/.exec(line) ?? [];
    if (query !== undefined) {
      const socket = connect(Number(ports.get('43')), '127.0.0.1');
      socket.write(`${query}\r\n`);
      return text(socket);
    }
    const { tlsCertFile, tlsKeyFile, tlsCaFile } = authority.certify('operator');
    const env = {
      ...environmentHere('gateway'),
      PATH: process.env.PATH!,
      HOME: directory,
      CADASTRE_TLS_CERT_FILE: tlsCertFile,
      CADASTRE_TLS_KEY_FILE: tlsKeyFile,
      CADASTRE_TLS_CA_FILE: tlsCaFile,
    };
    writeFileSync(join(directory, 'registry.rpsl'), /^```text registry\.rpsl\n(.*?)^```$/ms.exec(page)![1]!);
    const command = `cadastre() { ${project}bin/cadastre "$@"; }; ${line}`;
    return (await promisify(execFile)('bash', ['-c', command], { env, cwd: directory })).stdout;
  };

  const page = readFileSync(join(project, 'docs/operate/production.md'), 'utf8');
  const lines = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].flatMap(([, block]) => block!.trim().split('\n'));
  const said: [start: string, expected: string][] = [
    ['cadastre load', ''],
    ['cadastre status', 'EXAMPLE'],
    ['curl https://rest.example.net/metadata/sources.json', '"EXAMPLE"'],
    ['curl https://rest.example.net/EXAMPLE/mntner/', 'mntner:         EXAMPLE-HM-MNT\n'],
    ['curl https://rdap.example.net/help', 'rdapConformance'],
    ['whois', 'mntner:         EXAMPLE-HM-MNT\n'],
  ];
  const followed = lines.flatMap((line) => {
    const [, expected] = said.find(([start]) => line.startsWith(start)) ?? [];
    return expected === undefined ? [] : [[line, expected] as const];
  });

  test.each(followed)('they make the registry of docs/operate/production.md: %s', async (line, expected) => {
    if (line.startsWith('cadastre')) expect(await follow(line)).toContain(expected);
    // Search and whois read what was loaded.
    else await eventually(async () => expect(await follow(line)).toContain(expected));
  });

  test('the page has each of these lines', () => {
    expect(said.filter(([start]) => !followed.some(([line]) => line.startsWith(start)))).toEqual([]);
  });

  test('no service warns of settings that it does not know', () => {
    for (const service of services) expect(output.get(service)).not.toContain('that are no settings');
  });

  test.each([...services].reverse())('%s ends when systemd asks it to', async (service) => {
    const child = running.get(service)!;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await ended, output.get(service)).toEqual([0, null]);
  });
});
