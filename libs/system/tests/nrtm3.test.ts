import { access, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseObject, printObject, publicCopy } from '@cadastre/rpsl';
import { reservePort } from '@cadastre/service';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { keyPair } from '../../../services/mirror/tests/publisher.fixture.js';
import { type Cluster, startCluster } from './harness/cluster.js';
import { eventually } from './harness/eventually.js';
import { type Rest, restClient } from './harness/rest.js';
import { type WhoisClient, whoisClient } from './harness/whois.js';

// A registry follows its own source as COPY-GRS: its whois service serves the changes (NRTM version 3), its mirror
// service writes the dump to begin with, and applies both. It follows the non-authoritative part of its source as
// PART-GRS, by NRTM version 4.
vi.setConfig({ testTimeout: 400_000, hookTimeout: 400_000 });

const shortMinutes = { NODE_OPTIONS: `--import=${new URL('harness/short-minutes.mjs?60', import.meta.url).href}` };
const timeoutMs = 90_000;

let directory: string;
let port: number;
let cluster: Cluster;
let rest: Rest & { close(): void };
let whois: WhoisClient;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cadastre-nrtm3-'));
  port = await reservePort();
  const dumps = pathToFileURL(join(directory, 'published', 'dumps', 'test/'));
  const nrtm3 = {
    ...{ host: '127.0.0.1', port, source: 'TEST', ownNetwork: true },
    ...{ dump: new URL('test.db.gz', dumps).href, serial: new URL('TEST.CURRENTSERIAL', dumps).href },
  };
  const publications = pathToFileURL(join(directory, 'published', 'nrtmv4/'));
  const { privateKey, publicKey } = keyPair();
  await mkdir(join(directory, 'keys'));
  await writeFile(join(directory, 'keys', 'signing-key.pem'), privateKey);
  const nrtm4 = {
    ...{ source: 'TEST-NONAUTH', key: publicKey },
    url: new URL('TEST-NONAUTH/update-notification-file.jose', publications).href,
  };
  const origins = join(directory, 'origins.json');
  await writeFile(origins, JSON.stringify({ 'COPY-GRS': { nrtm3 }, 'PART-GRS': { nrtm4 } }));
  cluster = await startCluster({
    ...{ count: 1, whois: true, mirror: true },
    env: {
      ...shortMinutes,
      CADASTRE_GRS_SOURCES: 'COPY-GRS,PART-GRS',
      CADASTRE_WHOIS_PORT: String(port),
      CADASTRE_BIND_ADDRESS: '127.0.0.1',
      CADASTRE_WHOIS_NRTM_CLIENTS: '127.0.0.1',
      CADASTRE_PUBLICATIONS_DIR: join(directory, 'published'),
      CADASTRE_MIRROR_DUMPS: 'TEST,TEST-NONAUTH',
      CADASTRE_MIRROR_PUBLISH: 'TEST,TEST-NONAUTH',
      CADASTRE_MIRROR_KEYS_DIR: join(directory, 'keys'),
      CADASTRE_MIRROR_ORIGINS_FILE: origins,
    },
  });
  const https = `https://localhost:${cluster.gateways[0]!.split(':')[1]}`;
  rest = restClient({ http: '', https, certHttps: '', certificateText: cluster.gatewayCertificate });
  whois = whoisClient(rest, cluster.credential);
});

afterAll(async () => {
  rest?.close();
  await cluster?.stop();
  await rm(directory, { recursive: true, force: true });
});

const textsOf = (source: string) => cluster.textsOf(source);
const nameless = (text: string) => text.trimEnd().replace(/^(source:\s+)\S+/m, '$1X');

/** What followers get of an object: nothing, or its public copy. */
function publicTexts(text: string): string[] {
  const parsed = parseObject(text);
  const copy = parsed.ok ? publicCopy(parsed.object) : undefined;
  return copy === undefined ? [] : [printObject(copy)];
}

/** Waits until the copy has exactly what followers get of the source; the dump also has placeholders. */
async function untilEqual(): Promise<void> {
  await eventually(async () => {
    const published = (await textsOf('TEST')).flatMap(publicTexts).map(nameless).sort();
    const copy = (await textsOf('COPY-GRS'))
      .map(nameless)
      .filter((text) => !/DUMY-TEST$|^person/m.test(nicHandle(text)));
    expect(copy.sort()).toEqual(published);
  }, timeoutMs);
}

const nicHandle = (text: string) => /^(?:nic-hdl: +(.*)|person:.*)$/m.exec(text)?.[0] ?? '';

function ask(line: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1').setEncoding('latin1');
    let all = '';
    socket
      .on('data', (text) => (all += text))
      .on('end', () => resolve(all))
      .on('error', reject);
    socket.write(`${line}\n`);
  });
}

const setText = (name: string, remark: string) => `as-set:         ${name}
members:        AS64500
remarks:        ${remark}
tech-c:         AE1-TEST
admin-c:        AE1-TEST
mnt-by:         EXAMPLE-MNT
source:         TEST
`;

/** Ends the pause after a fault: while there is no dump yet, or no whois service. */
const resetCopy = () => cluster.cadastre('mirror', 'reset', 'COPY-GRS');

test('the copy begins with the dump, and follows changes, also after kills', async () => {
  await eventually(() => access(join(directory, 'published', 'dumps', 'test', 'TEST.CURRENTSERIAL')), timeoutMs);
  await resetCopy();
  await eventually(async () => expect((await textsOf('COPY-GRS')).length).toBeGreaterThan(10), timeoutMs);
  for (const name of ['AS-ONE', 'AS-TWO', 'AS-THREE']) {
    expect((await whois.create('as-set', setText(name, 'first'))).status).toBe(200);
  }
  await untilEqual();
  for (const service of ['whois', 'mirror'] as const) {
    const [replica] = cluster.replicas[service];
    process.kill(replica!.pid(), 'SIGKILL');
    await replica!.stop();
    const name = service === 'whois' ? 'AS-ONE' : 'AS-TWO';
    expect((await whois.remove('as-set', name)).status).toBe(200);
    expect((await whois.update('as-set', 'AS-THREE', setText('AS-THREE', service))).status).toBe(200);
    await replica!.start();
    if (service === 'whois') await resetCopy();
    await untilEqual();
  }
  // Objects has the changes a moment before mirror has noted that.
  await eventually(async () => {
    const { mirrors } = JSON.parse(await cluster.cadastre('mirror', 'status', '--json'));
    expect(mirrors).toContainEqual(
      expect.objectContaining({ source: 'COPY-GRS', kind: 'nrtm3', state: 'current', error: null }),
    );
  }, timeoutMs);
});

test('what followers get has no secrets and no persons', async () => {
  const answer = await ask('-g TEST:3:1-LAST');
  expect(answer).toMatch(/%END TEST\n\n\n$/);
  expect(answer.match(/^(?:ADD|DEL) \d+\n\nperson/gm) ?? []).toEqual([]);
  expect(
    answer.match(/^(e-mail|notify|upd-to|mnt-nfy):.*@example\.net|(MD5|BCRYPT)-PW (?!\$1\$SaltSalt)/gim),
  ).toBeNull();
  const serials = [...answer.matchAll(/^(?:ADD|DEL) (\d+)$/gm)].map(([, serial]) => Number(serial));
  expect(serials).toEqual([...new Set(serials)].sort((a, b) => a - b));
  expect(serials.length).toBeGreaterThan(10);
});

/** Loads an object, which may move to another part of the main source. */
async function load(text: string): Promise<void> {
  const file = join(directory, 'moved.rpsl');
  await writeFile(file, text);
  await cluster.cadastre('load', '--source', 'TEST', file);
}

test('an object that moves to the other part of the source is in the copy of that part alone', async () => {
  const text = setText('AS-MOVING', 'moves');
  const inPart = text.replace(/^source: .*/m, 'source:         TEST-NONAUTH');
  const places = async () => {
    const copies = await Promise.all(['COPY-GRS', 'PART-GRS'].map(textsOf));
    return copies.map((texts) => texts.filter((one) => one.includes('AS-MOVING')).length);
  };
  for (const [moved, expected] of [
    [inPart, [0, 1]],
    [text, [1, 0]],
    [inPart, [0, 1]],
  ] as const) {
    await load(moved);
    await eventually(async () => expect(await places()).toEqual(expected), timeoutMs);
  }
  const part = await textsOf('PART-GRS');
  expect(part).toEqual([expect.stringMatching(/^as-set: +AS-MOVING\n.*source: +PART-GRS\n$/s)]);
  await eventually(async () => {
    const { mirrors, publications } = JSON.parse(await cluster.cadastre('mirror', 'status', '--json'));
    expect(mirrors).toMatchObject([{ source: 'COPY-GRS' }, { source: 'PART-GRS', kind: 'nrtm4', state: 'current' }]);
    expect(publications).toMatchObject([{ source: 'TEST' }, { source: 'TEST-NONAUTH', error: null }]);
  }, timeoutMs);
  await access(join(directory, 'published', 'dumps', 'test-nonauth', 'TEST-NONAUTH.CURRENTSERIAL'));
});
