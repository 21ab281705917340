import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { isInstalled, isSkipped } from '@cadastre/service/testing';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { hasRedis } from '../../../services/gateway/tests/redis-server.fixture.js';
import { readOriginsFile } from '../../../services/mirror/src/follow/read-origins.js';
import { isWithout } from '../../../services/mirror/tests/mirror-programs.fixture.js';
import { type StubWhois, startStubWhois } from '../../../services/mirror/tests/whois-server.fixture.js';
import { cadastre } from './harness/cadastre.js';
import { eventually } from './harness/eventually.js';
import { followPage } from './harness/followed-page.js';
import { type Irrd, startIrrd } from './harness/irrd.js';
import { runProgram } from './harness/run-program.js';
import { freshDirectory, inOneProcess, type RunningSystem, runSystem } from './harness/run-system.js';

// docs/operate/migrate-from-irrd.md and migrate-from-ripe-whois.md as an operator follows them, in order: the tests
// depend on it. The server that the first page replaces is a real IRRd, except in `make test`, where a dump as IRRd writes
// it is enough. A stand-in answers for RIPE's server, which is not on this machine.
vi.setConfig({ testTimeout: 400_000, hookTimeout: 400_000 });

const checkout = fileURLToPath(new URL('../../../', import.meta.url));
const irrdPage = followPage('operate/migrate-from-irrd.md');
const ripePage = followPage('operate/migrate-from-ripe-whois.md');

/** What no test here runs, and why. */
const elsewhere = {
  'COMPOSE_PROFILES=whois': 'a setting of Docker Compose: install-page.test.ts starts port 43 with it',
};

const withoutPrograms = isSkipped(
  'pages about migration',
  ['bgpq4', 'whois', 'curl'].filter((program) => !isInstalled(program)),
);
const hasIrrd = inject('counts').oldServers > 0 && !isWithout('irrd') && hasRedis();

let folder: string;
let data: Awaited<ReturnType<typeof freshDirectory>>;
let system: RunningSystem;
/** The registry that is followed, and RIPE's server on port 43. */
let other: StubWhois;

const mntner = (...auth: readonly string[]) => `mntner:         EXAMPLE-MNT
descr:          Réseau Example
admin-c:        HM1-EXAMPLE
upd-to:         hostmaster@example.net
${auth.map((line) => `auth:           ${line}\n`).join('')}mnt-by:         EXAMPLE-MNT
source:         EXAMPLE
`;
const password = 'MD5-PW $1$abcdefgh$0123456789abcdefghijk/';
const role = `role:           Example Hostmasters
address:        1 Example Street
e-mail:         hostmaster@example.net
nic-hdl:        HM1-EXAMPLE
mnt-by:         EXAMPLE-MNT
source:         EXAMPLE
`;
const autNum = (contact: string) => `aut-num:        AS64500
as-name:        EXAMPLE-AS
admin-c:        ${contact}
tech-c:         ${contact}
mnt-by:         EXAMPLE-MNT
source:         EXAMPLE
`;
const route = (type: string, prefix: string, source = 'EXAMPLE') => `${`${type}:`.padEnd(16)}${prefix}
origin:         AS64500
mnt-by:         EXAMPLE-MNT
source:         ${source}
`;
const set = (type: string, name: string, members: string) => `${`${type}:`.padEnd(16)}${name}
${members}
tech-c:         HM1-EXAMPLE
admin-c:        HM1-EXAMPLE
mnt-by:         EXAMPLE-MNT
source:         EXAMPLE
`;
const routing = [
  route('route', '192.0.2.0/24'),
  route('route6', '2001:db8::/32'),
  set('as-set', 'AS-EXAMPLE', 'members:        AS64500'),
  set('route-set', 'RS-EXAMPLE', 'members:        198.51.100.0/24\nmp-members:     2001:db8:1::/48'),
];

/** As IRRd exports its objects. */
const irrdDump = (texts: readonly string[]) => gzipSync(`${texts.join('\n')}\n# EOF\n`);

const inFolder = (name: string) => join(folder, name);

/** Runs commands of a page in the folder, with the servers of the test in the place of those on the page. */
async function shell(script: string, old: Record<string, string> = {}): Promise<{ code: number; output: string }> {
  const servers = { 'https://rest.example.net': system.https, 'whois.example.net': whoisOf(system), ...old };
  const local = Object.entries(servers).reduce((text, [name, address]) => text.replaceAll(name, address), script);
  // bgpq4 leaves out AS numbers for documentation without -p.
  const programs = `bgpq4() { command bgpq4 -p "$@"; }; curl() { command curl --cacert '${system.certificate}' "$@"; }`;
  const env = {
    PATH: `${checkout}bin:${dirname(process.execPath)}:${process.env.PATH}`,
    CADASTRE_DATA_DIR: system.dataDirectory,
    LC_ALL: 'C.UTF-8',
  };
  return new Promise((resolve) => {
    execFile('bash', ['--norc', '-c', `${programs}\n${local}`], { cwd: folder, env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr });
    });
  });
}

const whoisOf = ({ whois }: RunningSystem) => `127.0.0.1:${whois.split(':').at(-1)}`;
const report = () => readFile(inFolder('report.txt'), 'utf8');
const exported = async () => (await cadastre(system, ['export', '--source', 'EXAMPLE', '--utf8'])).stdout;

/** Makes a text the whole source. */
async function replaceAll(text: string): Promise<void> {
  const args = ['load', '--source', 'EXAMPLE', '--replace', '--allow-deletes', 'all', '--wait', '-'];
  expect(await cadastre(system, args, text)).toMatchObject({ code: 0 });
}

/** A setting of the page about IRRd, with the value that it has there. */
function settingOf(name: string): Record<string, string> {
  const [, value] = /=(.*)$/.exec(irrdPage.take(`${name}=`))!;
  return { [name]: value!.replaceAll("'", '').replace(',...', '') };
}

/** Reads origins as the mirror service does. */
async function readOrigins(origins: object) {
  await writeFile(inFolder('read.json'), JSON.stringify(origins));
  return readOriginsFile(inFolder('read.json'), Object.keys(origins));
}

describe.skipIf(withoutPrograms)('pages about migration', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cadastre-migration-'));
    data = await freshDirectory();
    other = await startStubWhois();
    other.answer('% Warning: there are no newer updates available\n\n\n');
    await writeFile(inFolder('radb.db.gz'), irrdDump([route('route', '203.0.113.0/24', 'RADB')]));
    await writeFile(inFolder('RADB.CURRENTSERIAL'), '100\n');
    const origins = JSON.parse(irrdPage.take('"RADB-GRS"').replaceAll('https://ftp.example.com', `file://${folder}`));
    Object.assign(origins['RADB-GRS'].nrtm3, { host: '127.0.0.1', port: other.port, ownNetwork: true });
    await writeFile(inFolder('followed.json'), JSON.stringify(origins));
    system = await runSystem(data.directory, {
      ...inOneProcess,
      CADASTRE_SOURCE: 'EXAMPLE',
      ...settingOf('CADASTRE_GRS_SOURCES'),
      ...settingOf('CADASTRE_SOURCE_ALIASES'),
      ...settingOf('CADASTRE_WHOIS_SOURCES'),
      CADASTRE_MIRROR_ORIGINS_FILE: inFolder('followed.json'),
    });
    await replaceAll('');
  });

  afterAll(async () => {
    await system?.stop();
    await other?.stop();
    await data?.remove();
    await rm(folder, { recursive: true, force: true });
  });

  describe('from IRRd', () => {
    const objects = [mntner(password), role, autNum('NO1-EXAMPLE'), ...routing];
    const fewer = objects.filter((text) => !text.startsWith('route6:'));
    const sso = 'auth:           SSO alice@example.net';
    let irrd: Irrd | undefined;

    beforeAll(async () => {
      await mkdir(inFolder('exports'));
      const source = { authoritative: true, export_destination_unfiltered: inFolder('exports'), export_timer: 1 };
      if (hasIrrd) {
        irrd = await startIrrd({ EXAMPLE: source }, { EXAMPLE: fewer });
        await eventually(untilAnswered);
      }
      await bringDump(objects);
    });

    afterAll(() => irrd?.stop());

    /**
     * A process of IRRd that starts after the sets and routes were read answers queries for them only after a change:
     * makes one, and sends a query to each of both processes.
     */
    async function untilAnswered(): Promise<void> {
      await irrd!.replace('EXAMPLE', objects);
      const query = ['10', 'bgpq4', '-h', `127.0.0.1:${irrd!.port}`, '-p', '-6', 'AS-EXAMPLE'];
      try {
        const answers = await Promise.all([1, 2].map(() => runProgram('timeout', query, {})));
        for (const answer of answers) expect(answer).toContain('2001:db8::/32');
      } catch (error) {
        await irrd!.replace('EXAMPLE', fewer);
        throw error;
      }
    }

    /** Puts the newest dump of these objects into the folder, from IRRd if it runs. */
    async function bringDump(texts: readonly string[]): Promise<void> {
      if (irrd === undefined) return writeFile(inFolder('example.db.gz'), irrdDump(texts));
      await eventually(async () => {
        const dump = await readFile(inFolder('exports/example.db.gz'));
        expect(
          gunzipSync(dump)
            .toString()
            .match(/^source:/gm),
        ).toHaveLength(texts.length);
        expect(await readdir(inFolder('exports'))).toContain('EXAMPLE.CURRENTSERIAL');
        await writeFile(inFolder('example.db.gz'), dump);
      });
    }

    const compare = (options: string) =>
      shell(irrdPage.take('bgpq4').replaceAll(' -Jl', `${options} -Jl`), {
        'old.example.net': irrd ? `127.0.0.1:${irrd.port}` : whoisOf(system),
      });

    test('loads the export with its credentials', async () => {
      expect(await shell(irrdPage.take('--dry-run'))).toEqual({ code: 0, output: '' });
      expect(await report()).toMatch(/^7 created, .* 0 rejected in /);
      const text = await exported();
      for (const part of [`auth:           ${password}`, 'Réseau Example', 'NO1-EXAMPLE']) expect(text).toContain(part);
    });

    test('gives mntners another auth', async () => {
      const edit = `sed -i 's/MD5-PW .*/SSO alice@example.net/' mntners.txt`;
      const block = irrdPage.take('--type mntner');
      expect(block).toMatch(/^# Edit/m);
      const { code, output } = await shell(block.replace(/^# Edit.*$/m, edit));
      expect([code, output]).toEqual([0, expect.stringContaining('1 modified')]);
      expect(await exported()).toContain(sso);
    });

    test('makes origins of known registries', async () => {
      expect(await shell(irrdPage.take('mirror add'))).toMatchObject({ code: 0 });
      const origins = await readOrigins(JSON.parse(await readFile(inFolder('origins.json'), 'utf8')));
      expect([...origins.keys()]).toEqual(['RADB-GRS', 'ALTDB-GRS']);
    });

    test('writes origins of others, with the members of the table', async () => {
      const origins = await readOrigins(JSON.parse(irrdPage.take('"RADB-GRS"')));
      expect(origins.get('RADB-GRS')).toMatchObject({ kind: 'nrtm3', address: 'whois.example.com:43' });
      const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const values: Record<string, unknown> = {
        ...{ host: 'whois.example.com', port: 4343, dump: 'https://ftp.example.com/other.db.gz' },
        ...{ serial: 'https://ftp.example.com/OTHER.CURRENTSERIAL', url: 'https://rest.example.com/file.jose' },
        ...{ key: publicKey.export({ type: 'spki', format: 'pem' }), urls: ['https://ftp.example.com/other.db.gz'] },
        ...{ every: '1d', classes: ['route', 'route6'] },
      };
      for (const [kind, members] of rowsOfTable()) {
        const origin = Object.fromEntries(['classes', ...members].map((member) => [member, values[member]]));
        const read = await readOrigins({ 'OTHER-GRS': { [kind]: { source: 'OTHER', ...origin } } });
        expect(read.get('OTHER-GRS')).toMatchObject({ kind, classes: new Set(['route', 'route6']) });
      }
    });

    test('follows the copies, and lists them', async () => {
      const look = () => shell(irrdPage.take('mirror status'));
      await expect
        .poll(look)
        .toEqual({ code: 0, output: expect.stringMatching(/^RADB-GRS +nrtm3 +current +100 .*^RADB-GRS:N:/ms) });
      for (const name of ['RADB', 'SECURE'])
        expect((await shell(`whois -h whois.example.net -- '!j${name}'`)).output).toContain('RADB-GRS:N:');
    });

    test('compares the lists of both servers', async () => {
      const same = ['AS-EXAMPLE', 'RS-EXAMPLE'].flatMap((set) => [4, 6].map((n) => `${set}, IPv${n}: same\n`));
      await expect.poll(() => compare(' -S EXAMPLE')).toEqual({ code: 0, output: same.join('') });
      expect((await shell('bgpq4 -h whois.example.net -4 -Jl x AS-EXAMPLE')).output).toContain('203.0.113.0/24;');
      if (irrd === undefined) return;
      // The old server has no copy of RADB.
      expect((await compare('')).output).toBe(`4a5\n>     203.0.113.0/24;\n${same.slice(1).join('')}`);
    });

    test('loads what has changed, in the place of the rest', async () => {
      await irrd?.replace('EXAMPLE', fewer);
      await bringDump(fewer);
      const block = irrdPage.take('--replace');
      expect((await shell(block)).output).toContain('--allow-deletes 1 deletes them');
      const { code } = await shell(block.replace('--replace', '--replace --allow-deletes 1'));
      expect([code, await report()]).toEqual([0, expect.stringContaining('1 deleted, 0 rejected')]);
      const text = await exported();
      expect(text).not.toContain('route6:');
      expect(text).toContain(sso);
    });

    test('goes back', async () => {
      const added = route('route', '198.51.100.0/24');
      const load = ['load', '--source', 'EXAMPLE', '--wait', '-'];
      expect(await cadastre(system, load, added)).toMatchObject({ code: 0 });
      const [writing, loading] = irrdPage.take('irrd_update_database').split(/(?<=\n)/);
      expect((await shell(writing!)).code).toBe(0);
      expect(loading).toBe('irrd_update_database --source EXAMPLE example.db\n');
      const text = await readFile(inFolder('example.db'), 'utf8');
      for (const part of [added.trimEnd(), sso]) expect(text).toContain(part);
      if (irrd === undefined) return;
      await irrd.replace('EXAMPLE', [text]);
      const served = (await irrd.objects('EXAMPLE')).join('\n');
      for (const part of [added.trimEnd(), sso]) expect(served).toContain(part);
    });

    test('has no other step', () => {
      expect(irrdPage.left()).toEqual(Object.keys(elsewhere));
    });
  });

  describe('from the RIPE whois server', () => {
    const inetnum = `inetnum:        192.0.2.0 - 192.0.2.255
netname:        EXAMPLE-NET
country:        ZZ
admin-c:        HM1-EXAMPLE
tech-c:         HM1-EXAMPLE
status:         ALLOCATED PA
mnt-by:         GONE-MNT
source:         EXAMPLE
`;
    const limerick = 'limerick:       LIM-EXAMPLE\nmnt-by:         EXAMPLE-MNT\nsource:         EXAMPLE\n';
    const objects = [mntner(password), role, autNum('HM1-EXAMPLE'), inetnum, ...routing, limerick];
    let web: Server;

    /** As RIPE's server writes them, in ISO 8859-1. */
    const dump = (texts: readonly string[]) =>
      Buffer.from(`#\n# The contents of this file are invented\n#\n\n${texts.join('\n')}`, 'latin1');

    beforeAll(async () => {
      await replaceAll('');
      await writeFile(inFolder('all.db'), dump(objects));
      web = await startOldWeb({
        '/EXAMPLE/mntner/EXAMPLE-MNT.txt': `${mntner()
          .replace(/^upd-to:.*\n/m, '')
          .trimEnd()} # Filtered\n`,
        '/EXAMPLE/aut-num/AS64500.txt': autNum('HM2-EXAMPLE'),
      });
      const about = (text: string) => `% Information related to '192.0.2.0'\n\n${text}\n`;
      const end = '% This query was served by the RIPE Database Query Service version 1.120 (OLD)\n\n\n';
      const found = [inetnum, route('route', '192.0.2.0/24')].map(about).join('');
      other.answer(`% This is the RIPE Database query service.\n\n${found}${end}`);
    });

    afterAll(async () => {
      web.close();
      await once(web, 'close');
    });

    test('counts the mntners that depend on passwords', async () => {
      const named = (name: string, ...auth: string[]) => mntner(...auth).replace('EXAMPLE-MNT', name);
      const mntners = [
        named('A-MNT', password),
        named('B-MNT', password, 'SSO alice@example.net'),
        named('C-MNT', 'PGPKEY-01234567'),
        named('D-MNT', password, password),
      ];
      await writeFile(inFolder('mntner.db.gz'), gzipSync(dump(mntners)));
      expect(await shell(ripePage.take('awk'))).toEqual({ code: 0, output: 'A-MNT\nD-MNT\n' });
    });

    test('loads everything, and reports what it rejects and what is missing', async () => {
      expect(await shell(ripePage.take('--dry-run'))).toEqual({ code: 1, output: '' });
      const text = await report();
      expect(text).toMatch(/^-:\d+: limerick: LIM-EXAMPLE: .*\n8 created, .* 1 rejected in /);
      expect(text).toMatch(/^1 rejected: .*\n1 referenced maintainers do not exist: GONE-MNT\./m);
      expect(await exported()).toContain('Réseau Example');
    });

    test('compares the answers of both servers', async () => {
      const old = {
        'https://old.example.net': `http://127.0.0.1:${(web.address() as AddressInfo).port}`,
        'old.example.net': `127.0.0.1:${other.port}`,
      };
      const look = () => shell(ripePage.take('diff'), old);
      const contacts = (sign: string, handle: string) =>
        ['admin-c', 'tech-c'].map((name) => `${sign} ${`${name}:`.padEnd(16)}${handle}\n`).join('');
      const output = `3,4c3,4\n${contacts('<', 'HM2-EXAMPLE')}---\n${contacts('>', 'HM1-EXAMPLE')}`;
      await expect.poll(look).toEqual({ code: 0, output });
      expect(other.requested).toContain('-r -B -x 192.0.2.0/24\r\n');
    });

    test('replaces the source by the last dump', async () => {
      await writeFile(inFolder('all.db'), dump(objects.filter((text) => !text.startsWith('route6:'))));
      const command = ripePage.take('--replace');
      expect(await shell(command)).toEqual({
        code: 2,
        output: expect.stringContaining('--allow-deletes 1 deletes them'),
      });
      await shell(command.replace('--replace', '--replace --allow-deletes 1'));
      expect(await report()).toContain('1 deleted, 1 rejected');
      expect(await exported()).not.toContain('route6:');
    });

    test('shows the serials of the source and of its index', async () => {
      const { output } = await shell(ripePage.take('cadastre status'));
      expect(output).toMatch(/^EXAMPLE +main +(\d+) +\1$/m);
    });

    test('goes back with a dump that the old server reads', async () => {
      expect((await shell(`${ripePage.take('cadastre export')} > back.db`)).code).toBe(0);
      const text = (await readFile(inFolder('back.db'))).toString('latin1');
      for (const part of ['Réseau Example', `auth:           ${password}`, autNum('HM1-EXAMPLE')])
        expect(text).toContain(part);
    });

    test('has no other step', () => {
      expect(ripePage.left()).toEqual([]);
    });
  });
});

/** The kinds and members of origins in the table about irrd.yaml. */
function rowsOfTable(): (readonly [kind: string, members: string[]])[] {
  const text = readFileSync(join(checkout, 'docs/operate/migrate-from-irrd.md'), 'utf8');
  const rows = [...text.matchAll(/^\| .* \| `(nrtm3|nrtm4|dump)`: (.*) \|$/gm)];
  expect(rows).toHaveLength(3);
  expect(text).toMatch(/^\| `object_class_filter` \| `classes` \|$/m);
  return rows.map(([, kind, members]) => [kind!, members!.split(', ').map((member) => member.replaceAll('`', ''))]);
}

/** A web server with these answers. */
async function startOldWeb(texts: Record<string, string>): Promise<Server> {
  const server = createServer(({ url = '' }, response) => response.end(`${texts[url]}\n`));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
