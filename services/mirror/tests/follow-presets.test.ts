import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expandPreset, presets } from '@cadastre/nrtm';
import { testLogger } from '@cadastre/service/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mirrorWriter } from '../src/follow/mirror-writer.js';
import type { Mirrored, Progress } from '../src/follow/origin.js';
import { readOriginsFile } from '../src/follow/read-origins.js';
import { createCopy } from './copy.fixture.js';
import { type FtpServer, startFtpServer } from './ftp-server.fixture.js';
import { type FileServer, startFileServer } from './publisher.fixture.js';

// Each known registry publishes on servers of this test: the same protocol, paths, encoding and packing, other objects.
let folder: string;
let ftp: FtpServer;
let files: FileServer;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'presets-'));
  ftp = await startFtpServer();
  files = await startFileServer();
});
afterAll(async () => {
  await Promise.all([ftp.stop(), files.close()]);
  await rm(folder, { recursive: true });
});

const shown = 'Straße 1, København';
const keys: Record<string, string> = {
  'aut-num': 'AS64500',
  'as-set': 'AS-EXAMPLE',
  route: '192.0.2.0/24',
  route6: '2001:db8::/32',
  'route-set': 'RS-EXAMPLE',
  'filter-set': 'FLTR-EXAMPLE',
  'peering-set': 'PRNG-EXAMPLE',
  'inet-rtr': 'rtr.example.net',
  'rtr-set': 'RTRS-EXAMPLE',
  mntner: 'EXAMPLE-MNT',
  person: 'Example Person',
  inetnum: '192.0.2.0 - 192.0.2.255',
};

/** The objects of these classes, as a registry publishes them. */
function dumpOf(classes: readonly string[], source: string): string {
  const objects = classes.map((name) =>
    [
      `${name}:       ${keys[name]}`,
      ...(name === 'person' ? ['nic-hdl:    EP1-EXAMPLE'] : []),
      `descr:      ${shown}`,
      ...(name.startsWith('route') && !name.endsWith('-set') ? ['origin:     AS64500'] : []),
      'mnt-by:     EXAMPLE-MNT',
      `source:     ${source}\n`,
    ].join('\n'),
  );
  return `# Terms of the registry\n\n${objects.join('\n')}\n# EOF\n`;
}

/** Puts a file on the server of its protocol; returns its URL there. */
function publish(url: string, content: Buffer): string {
  const { pathname } = new URL(url);
  if (!url.startsWith('ftp:')) {
    files.files.set(pathname, content);
    return files.url(pathname).href;
  }
  ftp.files.set(pathname.slice(1), { content, changed: '20260102030405' });
  return ftp.url(pathname).href;
}

test.each(Object.keys(presets))('%s is followed by its dump', async (name) => {
  const expanded = expandPreset(name);
  if (!expanded.ok) throw new Error(expanded.faults.join());
  const { urls, serialUrl, encoding, classes } = expanded.value.members as {
    classes: string[];
    urls: string[];
    serialUrl: string;
    encoding: 'utf8';
  };
  const packed = (classes: readonly string[]) => gzipSync(Buffer.from(dumpOf(classes, name), encoding));
  const published = urls.map((url) => {
    if (!url.includes('{class}')) return publish(url, packed(Object.keys(keys)));
    for (const one of Object.keys(keys)) publish(url.replace('{class}', one), packed([one]));
    return decodeURI(publish(url, Buffer.alloc(0)));
  });
  const own = { urls: published, serialUrl: publish(serialUrl, Buffer.from('4711\n')), ownNetwork: true };
  const file = path.join(folder, `${name}.json`);
  await writeFile(file, JSON.stringify({ 'EXAMPLE-GRS': { preset: { name, ...own } } }));
  const origin = (await readOriginsFile(file, ['EXAMPLE-GRS'])).get('EXAMPLE-GRS')!;

  const copy = createCopy();
  const saved: Progress[] = [];
  const mirrored: Mirrored = {
    source: 'EXAMPLE-GRS',
    writer: mirrorWriter({ source: 'EXAMPLE-GRS', objects: copy, unguarded: false, logger: testLogger() }),
    faults: 0,
    storedFiles: async () => ({}),
    save: async (progress) => void saved.push(progress),
    signal: new AbortController().signal,
    logger: testLogger(),
    now: () => new Date(),
  };
  await origin.update(undefined, mirrored);
  const loaded = [...copy.objects.keys()].map((object) => object.split(' ')[0]);
  expect(loaded.toSorted()).toEqual(classes.toSorted());
  expect(copy.objects.get('mntner example-mnt')).toContain(`descr:      ${shown}\n`);
  expect(saved.at(-1)).toMatchObject({ version: 4711, applied: { rejected: 0 } });
});
