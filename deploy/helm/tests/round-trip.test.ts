import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Authority, type CertificateFiles, createAuthority } from '../../../libs/service/tests/testing.js';
import { environment, named, policiesFor, workloads } from './manifest.js';
import { chart, type Rendering, render } from './render.js';

// What `helm test` asks, of stand-ins for the gateway and port 43. libs/system/tests/shared/helm-round-trip.test.ts asks
// a real registry.

const notification = '/nrtmv4/TEST/update-notification-file.jose';
const checksums = '/dumps/test/SHA256SUMS';
/** What the gateway answers, by path; 404 to anything else. */
const pages: Record<string, string> = {
  '/metadata/sources.json': '["TEST"]',
  '/metadata/templates/person.json': '{}',
  '/rdap/help': '{"rdapConformance": []}',
  '/': '<!doctype html><html lang="en"></html>',
  [notification]: 'a.b.c',
  [checksums]: '',
};
/** What port 43 answers, by the lines of a client. */
const answers: Record<string, string> = {
  '-s TEST nobody-is-called-this\n': '% Terms\n\n%ERROR:101: no entries found\n%\n% No entries found in source TEST.\n',
  '!!\n!jTEST\n!q\n': 'A11\nTEST:N:0-7\nC\n',
};
const everything = { TEST_PUBLISH: 'TEST', TEST_DUMPS: 'TEST', TEST_WHOIS: 'here' };

describe('the script', () => {
  let authority: Authority;
  let certificate: CertificateFiles;
  let end: (() => void)[] = [];

  beforeAll(() => {
    authority = createAuthority();
    certificate = authority.certify('gateway');
  });
  afterEach(() => {
    for (const one of end) one();
    end = [];
  });
  afterAll(() => authority.remove());

  async function listening(server: net.Server): Promise<number> {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    end.push(() => server.close());
    return (server.address() as AddressInfo).port;
  }

  /** Runs the script against stand-ins that answer so. */
  async function run(env: Record<string, string>, changed: { pages?: object; answers?: object } = {}) {
    const shown: Record<string, string | undefined> = { ...pages, ...changed.pages };
    const said: Record<string, string | undefined> = { ...answers, ...changed.answers };
    const received: string[] = [];
    const { tlsCertFile, tlsKeyFile, tlsCaFile } = certificate;
    const pair = { cert: readFileSync(tlsCertFile), key: readFileSync(tlsKeyFile) };
    const gateway = https.createServer(pair, ({ url = '' }, response) => {
      received.push(url);
      response.writeHead(shown[url] === undefined ? 404 : 200).end(shown[url]);
    });
    const whois = net.createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', (lines) => {
        received.push(String(lines));
        socket.end(said[String(lines)] ?? '');
      });
    });
    const given = {
      ...{ PATH: process.env.PATH, TEST_SOURCE: 'TEST', TEST_CA_FILE: tlsCaFile, TEST_SECONDS: '1', ...env },
      TEST_URL: `https://localhost:${await listening(gateway)}`,
      ...(env.TEST_WHOIS && { TEST_WHOIS: `127.0.0.1:${await listening(whois)}` }),
    };
    const script = execFile(process.execPath, [`${chart}test/round-trip.mjs`], { env: given });
    const code = new Promise<number | null>((resolve) => script.once('exit', resolve));
    const [stdout, stderr] = await Promise.all([text(script.stdout!), text(script.stderr!)]);
    return { code: await code, stdout, stderr, received };
  }

  test('asks each interface that is there', async () => {
    const { code, stdout, stderr, received } = await run(everything);
    expect([code, stderr]).toEqual([0, '']);
    expect(received).toEqual(expect.arrayContaining([...Object.keys(pages), ...Object.keys(answers)]));
    expect(stdout).toContain('The registry works.');
  });

  test('asks only REST, RDAP and the web page, where there is nothing else', async () => {
    const { code, received } = await run({ TEST_PUBLISH: '' });
    expect(code).toBe(0);
    const others = [notification, checksums, ...Object.keys(answers)];
    expect(received.filter((one) => others.includes(one))).toEqual([]);
  });

  test.each<[string, { pages?: object; answers?: object }, string]>([
    ['RDAP', { pages: { '/rdap/help': '{}' } }, 'GET /rdap/help: returned 200, not 200 with "rdapConformance"'],
    ['the web page', { pages: { '/': undefined } }, 'GET /: returned 404, not 200'],
    ['HTML at /', { pages: { '/': 'no' } }, 'expected: the web page is HTML'],
    [
      'the notification file',
      { pages: { [notification]: undefined } },
      `GET ${notification}: returned 404, not 200: mirror has not published TEST`,
    ],
    [
      'the dump',
      { pages: { [checksums]: undefined } },
      `GET ${checksums}: returned 404, not 200: mirror has not written a dump of TEST`,
    ],
    [
      'an answer to a query',
      { answers: { '-s TEST nobody-is-called-this\n': '%ERROR:201: access denied\n' } },
      '"-s TEST nobody-is-called-this\\n": no line of the answer matches /^%ERROR:101:/\n%ERROR:201: access denied',
    ],
    [
      'an answer to a command',
      { answers: { '!!\n!jTEST\n!q\n': undefined } },
      '"!!\\n!jTEST\\n!q\\n": no line of the answer matches /^TEST:[NY]:/\nno answer',
    ],
  ])('without %s it fails, and says so', async (_, changed, message) => {
    const { code, stderr } = await run(everything, changed);
    expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
  });
});

describe('the pod', () => {
  const mirror = {
    ...{ 'mirror.enabled': true, 'mirror.keys.secretName': 'mirror-keys', 'whois.enabled': true },
    'whois.service.port': 4300,
  };
  const lists = {
    'mirror.publish': ['TEST', 'OTHER-GRS'],
    'mirror.dumps': ['TEST-NONAUTH'],
    grsSources: ['OTHER-GRS'],
  };

  const podOf = async (rendering: Rendering) => {
    const manifests = await render(rendering);
    const pod = workloads(manifests).find(({ component }) => component === 'test')!;
    return { manifests, pod, settings: environment(pod.pod.containers[0]!) };
  };

  test('asks for nothing that is not enabled', async () => {
    const { manifests, pod, settings } = await podOf({});
    for (const name of Object.keys(everything)) expect(settings).not.toHaveProperty(name);
    const ports = policiesFor(manifests, pod).flatMap(({ egress = [] }) => egress.flatMap((rule) => rule.ports ?? []));
    expect(ports).not.toContainEqual({ port: 4343 });
  });

  test('asks port 43, and for sources of this registry that are published', async () => {
    const { manifests, settings } = await podOf({ set: mirror, setJson: lists });
    expect(settings).toMatchObject({
      ...{ TEST_WHOIS: 'trial-cadastre-whois-public:4300', TEST_PUBLISH: 'TEST', TEST_DUMPS: 'TEST-NONAUTH' },
    });
    expect(named(manifests, 'Service', 'trial-cadastre-whois-public').spec.ports[0].port).toBe(4300);
  });

  test('does not ask the gateway for files in a bucket', async () => {
    const { settings } = await podOf({ set: { ...mirror, 'mirror.s3.secretName': 'bucket' }, setJson: lists });
    expect(settings).not.toHaveProperty('TEST_PUBLISH');
  });

  test('reaches port 43, also where only some clients do', async () => {
    const clients = [{ ipBlock: { cidr: '192.0.2.0/24' } }];
    const { manifests, pod } = await podOf({ set: mirror, setJson: { ...lists, 'networkPolicy.clients': clients } });
    const selected = (name: string) => ({ podSelector: { matchLabels: expect.objectContaining(component(name)) } });
    const component = (name: string) => ({ 'app.kubernetes.io/component': name });
    const egress = policiesFor(manifests, pod).flatMap(({ egress: rules = [] }) => rules);
    expect(egress).toContainEqual({ to: [selected('whois')], ports: [{ port: 4343 }] });
    const whois = workloads(manifests).find((one) => one.component === 'whois')!;
    const ingress = policiesFor(manifests, whois).flatMap(({ ingress: rules = [] }) => rules);
    expect(ingress).toContainEqual({ from: [selected('test'), ...clients], ports: [{ port: 'whois' }] });
  });
});
