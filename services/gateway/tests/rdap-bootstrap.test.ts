import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RunningGateway, startGateway } from './gateway.fixture.js';
import { rdapRegistry } from './rdap-registry.fixture.js';

const common = 'created:        2020-01-02T03:04:05Z\nlast-modified:  2024-05-06T07:08:09Z\nsource:         TEST\n';
const inetnum = (range: string, status: string) =>
  `inetnum:        ${range}\nnetname:        EXAMPLE\ncountry:        NL\nadmin-c:        AE1-TEST\nstatus:         ${status}\n${common}`;
const registry = rdapRegistry(
  inetnum('0.0.0.0 - 255.255.255.255', 'ALLOCATED UNSPECIFIED'),
  inetnum('203.0.0.0 - 203.255.255.255', 'ALLOCATED UNSPECIFIED'),
  inetnum('203.0.112.0 - 203.0.112.255', 'ASSIGNED PA'),
  `person:         Alice Example\nnic-hdl:        AE1-TEST\n${common}`,
);

const file = (...services: unknown[]) => JSON.stringify({ version: '1.0', services });
const east = 'https://rdap.east.example/registry';
const redirects = {
  ipv4: file(
    [['203.0.0.0/16', '198.51.100.0/24'], [`${east}/`]],
    [['198.51.100.128/25'], ['https://rdap.ours.example/']],
  ),
  asn: file([['64496-64511'], [`${east}/`]]),
  dns: file([['example'], ['https://rdap.nic.example/']]),
  'object-tags': file([['ops@east.example'], ['EAST'], [`${east}/`]]),
};

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'bootstrap-'));
});
afterEach(() => rm(directory, { recursive: true }));

async function store(folder: string, files: Record<string, string>) {
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, `${name}.json`), text);
}

describe('redirects', () => {
  let gateway: RunningGateway;
  let files: string;
  beforeAll(async () => {
    files = await mkdtemp(join(tmpdir(), 'redirects-'));
    await store(files, redirects);
    gateway = await startGateway(registry.backends, {
      CADASTRE_RDAP_REDIRECTS_DIR: files,
      CADASTRE_RDAP_HOSTS: 'rdap.ours.example',
    });
  });
  afterAll(async () => {
    await gateway.stop();
    await rm(files, { recursive: true });
  });

  it.each([
    ['/rdap/ip/198.51.100.1', `${east}/ip/198.51.100.1`],
    ['/rdap//ip/198.51.100.0/24?a=b&c=%2F', `${east}/ip/198.51.100.0/24?a=b&c=%2F`],
    ['/whois/rdap/ip/198.51.100.0%2F24', `${east}/ip/198.51.100.0%2F24`],
    // Only an administrative network has it here.
    ['/rdap/ip/203.0.113.0/24', `${east}/ip/203.0.113.0/24`],
    ['/rdap/autnum/64500', `${east}/autnum/64500`],
    ['/rdap/domain/100.51.198.in-addr.arpa', `${east}/domain/100.51.198.in-addr.arpa`],
    ['/rdap/domain/www.example', 'https://rdap.nic.example/domain/www.example'],
    ['/rdap/entity/BO1-EAST', `${east}/entity/BO1-EAST`],
  ])('%s leads to %s', async (path, location) => {
    const { status, headers, text } = await gateway.send(path);
    expect([status, headers.location, headers['access-control-allow-origin']]).toEqual([301, location, '*']);
    expect(JSON.parse(text)).toMatchObject({ errorCode: 301 });
  });

  it('have no /rdap on a host of RDAP alone', async () => {
    for (const path of ['/ip/198.51.100.1', '/rdap/ip/198.51.100.1']) {
      const { headers } = await gateway.send(path, { headers: { host: 'rdap.ours.example' }, isRdapHost: true });
      expect(headers.location).toBe(`${east}/ip/198.51.100.1`);
    }
  });

  it.each([
    [200, '/rdap/ip/203.0.112.7'],
    [200, '/rdap/ip/203.0.0.0/8'],
    [200, '/rdap/ip/203.1.0.0'],
    [200, '/rdap/entity/AE1-TEST'],
    // The table names this registry.
    [200, '/rdap/ip/198.51.100.200'],
    [404, '/rdap/autnum/64512'],
    [404, '/rdap/domain/example.net'],
    [404, '/rdap/entity/BO1-WEST'],
    [501, '/rdap/domain/4.3.2.1.e164.arpa'],
  ])('%i is the answer to %s: only this registry could have it', async (status, path) => {
    expect((await gateway.send(path)).status).toBe(status);
  });
});

describe('a directory', () => {
  let gateway: RunningGateway | undefined;
  afterEach(async () => {
    await gateway?.stop();
    gateway = undefined;
  });

  async function start(env: Record<string, string>) {
    gateway = await startGateway(registry.backends, { CADASTRE_OPERATIONS: '127.0.0.1:0', ...env }, undefined, {
      rdapFilesCheck: 20,
    });
    return gateway;
  }
  const statusOf = async (path: string) => (await gateway!.send(path)).status;
  const failures = async () => {
    const text = await (await fetch(`http://${gateway!.gateway.operationsAddress()}/metrics`)).text();
    const [, count = '0'] = /^cadastre_rdap_files_failures_total\{.*\} (.*)$/m.exec(text) ?? [];
    return Number(count);
  };

  it('is followed, and stays in use while it cannot be read', async () => {
    await store(directory, redirects);
    await start({ CADASTRE_RDAP_REDIRECTS_DIR: directory });
    expect(await statusOf('/rdap/autnum/64500')).toBe(301);
    await store(directory, { asn: '{' });
    await expect.poll(failures).toBeGreaterThan(0);
    expect(await statusOf('/rdap/autnum/64500')).toBe(301);
    await store(directory, { asn: file([['1'], [`${east}/`]]) });
    await expect.poll(() => statusOf('/rdap/autnum/64500')).toBe(404);
    expect(await statusOf('/rdap/autnum/1')).toBe(301);
    await rm(join(directory, 'asn.json'));
    await expect.poll(() => statusOf('/rdap/autnum/1')).toBe(404);
  });

  it('that is replaced by a symbolic link, as in Kubernetes, is used', async () => {
    await store(join(directory, '..1'), { asn: redirects.asn });
    await store(join(directory, '..2'), { asn: file() });
    await symlink('..1', join(directory, '..data'));
    await symlink(join('..data', 'asn.json'), join(directory, 'asn.json'));
    await start({ CADASTRE_RDAP_REDIRECTS_DIR: directory });
    expect(await statusOf('/rdap/autnum/64500')).toBe(301);
    await symlink('..2', join(directory, '..next'));
    await rename(join(directory, '..next'), join(directory, '..data'));
    await expect.poll(() => statusOf('/rdap/autnum/64500')).toBe(404);
  });

  it.each(['CADASTRE_RDAP_REDIRECTS_DIR', 'CADASTRE_RDAP_BOOTSTRAP_DIR'])(
    'without usable files in %s stops the start',
    async (name) => {
      await expect(start({ [name]: directory })).rejects.toThrow(`${name}: ${directory} has no bootstrap files`);
      await store(directory, { asn: '{}' });
      await expect(start({ [name]: directory })).rejects.toThrow(`${name}: asn.json: "version" is not "1.0"`);
    },
  );

  it('of our own files is served', async () => {
    await store(directory, { ipv4: redirects.ipv4 });
    await start({ CADASTRE_RDAP_BOOTSTRAP_DIR: directory });
    const { status, headers, text } = await gateway!.send('/rdap/bootstrap/ipv4.json');
    expect([status, headers['content-type'], text]).toEqual([200, 'application/json', redirects.ipv4]);
    const again = await gateway!.send('/rdap/bootstrap/ipv4.json', { headers: { 'if-none-match': headers.etag! } });
    expect([headers['access-control-allow-origin'], again.status]).toEqual(['*', 304]);
    for (const path of ['asn.json', 'ipv4', 'ipv4.xml', 'x.json', '%2e%2e']) {
      expect(await statusOf(`/rdap/bootstrap/${path}`)).toBe(404);
    }
  });
});

it('nothing is served or redirected without directories', async () => {
  const gateway = await startGateway(registry.backends);
  const statuses = ['/rdap/bootstrap/ipv4.json', '/rdap/autnum/64500'].map(
    async (path) => (await gateway.send(path)).status,
  );
  expect(await Promise.all(statuses)).toEqual([404, 404]);
  await gateway.stop();
});
