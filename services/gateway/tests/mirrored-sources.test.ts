import { type Mirror, MirrorState, OriginKind } from '@cadastre/proto/mirror';
import { SourceKind } from '@cadastre/proto/objects';
import { ServiceError } from '@cadastre/service';
import { afterEach, expect, test } from 'vitest';
import { exampleReader, type RunningGateway, startGateway } from './gateway.fixture.js';

// The state of copies of other registries, in the list of sources.
let gateway: RunningGateway | undefined;
afterEach(() => gateway?.stop());

const names = ['OTHER-GRS', 'SECOND-GRS', 'THIRD-GRS', 'FOURTH-GRS', 'UNKNOWN-GRS'];
const reader = {
  ...exampleReader,
  listSources: async () => ({
    sources: [
      { name: 'TEST', kind: SourceKind.SOURCE_KIND_MAIN, serial: 1n },
      ...names.map((name) => ({ name, kind: SourceKind.SOURCE_KIND_GRS, serial: 1n })),
    ],
  }),
};

function mirror(source: string, about: Partial<Mirror>): Mirror {
  const { ORIGIN_KIND_NRTM4: kind } = OriginKind;
  const empty = {
    originSource: 'X',
    ownNetwork: false,
    state: MirrorState.MIRROR_STATE_CURRENT,
    sessionId: '',
    error: 'secret host',
    warnings: ['secret host'],
    classes: [],
  };
  return { source, kind, origin: '', counts: undefined, ...empty, ...about };
}

const url = 'https://nrtm.example.net/nrtmv4/OTHER/update-notification-file.jose';
const mirrors = [
  mirror('OTHER-GRS', {
    origin: url,
    checkedAt: new Date('2026-01-02T03:04:05.678Z'),
    changedAt: new Date('2026-01-02T03:00:00Z'),
  }),
  mirror('second-grs', {
    kind: OriginKind.ORIGIN_KIND_NRTM3,
    origin: 'whois.example.net:43',
    state: MirrorState.MIRROR_STATE_REFUSED,
  }),
  mirror('THIRD-GRS', {
    kind: OriginKind.ORIGIN_KIND_DUMP,
    origin: 'https://mirror.registry.svc/third.db.gz',
    state: MirrorState.MIRROR_STATE_LOADING,
    ownNetwork: true,
  }),
  mirror('FOURTH-GRS', { origin: 'https://user:secret@mirror.internal/' }),
];
const named = (name: string) => ({ name, id: name.toLowerCase(), 'grs-id': name.toLowerCase() });

async function listed() {
  const { status, text } = await gateway!.send('/metadata/sources.json');
  expect(status).toBe(200);
  return JSON.parse(text)['grs-sources'].source;
}

test('copies have kind, origin, state and times in JSON and XML; others do not', async () => {
  gateway = await startGateway({ reader, mirrors: { listMirrors: async () => ({ mirrors }) } });
  expect(await listed()).toEqual([
    named('TEST-GRS'),
    {
      ...named('OTHER-GRS'),
      ...{ kind: 'nrtm4', origin: url, state: 'current' },
      ...{ checked: '2026-01-02T03:04:05Z', changed: '2026-01-02T03:00:00Z' },
    },
    { ...named('SECOND-GRS'), kind: 'nrtm3', origin: 'whois.example.net:43', state: 'refused' },
    { ...named('THIRD-GRS'), kind: 'dump', state: 'loading' },
    { ...named('FOURTH-GRS'), kind: 'nrtm4', state: 'current' },
    named('UNKNOWN-GRS'),
  ]);
  const xml = await gateway.send('/metadata/sources');
  expect(xml.text).toContain(
    '<source name="SECOND-GRS" id="second-grs" grs-id="second-grs" kind="nrtm3" origin="whois.example.net:43" state="refused"/>',
  );
  const text = await gateway.send('/metadata/sources.txt');
  expect(text.text).toBe(
    `source:         TEST\nsource:         TEST-NONAUTH\n${['TEST-GRS', ...names].map((name) => `grs-source:     ${name}\n`).join('')}`,
  );
  for (const one of [xml, text]) expect(one.text).not.toContain('secret');
});

test('many requests cause one call of the mirror service', async () => {
  let requested = 0;
  const listMirrors = async () => {
    requested++;
    return { mirrors };
  };
  gateway = await startGateway({ reader, mirrors: { listMirrors } });
  await Promise.all(Array.from({ length: 20 }, listed));
  expect(requested).toBe(1);
});

test.each([
  ['fails', () => Promise.reject(new ServiceError('unavailable', 'away'))],
  ['hangs', () => new Promise<never>(() => {})],
])('a mirror service that %s does not stop the list', async (_, listMirrors) => {
  gateway = await startGateway({ reader, mirrors: { listMirrors } });
  expect(await listed()).toEqual(['TEST-GRS', ...names].map(named));
});
